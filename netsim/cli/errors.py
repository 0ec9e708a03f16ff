"""How a command ends when its input cannot be used."""

from typing import NoReturn

import typer

BAD_INPUT = 2
DEADLOCK = 3
FAILED_RUN = 1
INTERRUPTED = 130


def refuse(error: Exception | str) -> NoReturn:
    """Say what is wrong on standard error and leave with exit code 2."""
    typer.echo(str(error), err=True)
    raise typer.Exit(BAD_INPUT)
