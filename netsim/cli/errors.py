"""How a command ends when its input cannot be used."""

from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from netsim.learning.errors import LearningError
    from netsim.scenario.document import Document

BAD_INPUT = 2
DEADLOCK = 3
FAILED_RUN = 1
INTERRUPTED = 130


def refuse(error: Exception | str) -> NoReturn:
    """Say what is wrong on standard error and leave with exit code 2."""
    typer.echo(str(error), err=True)
    raise typer.Exit(BAD_INPUT)


def refuse_task(document: "Document", error: "LearningError") -> NoReturn:
    """As ``refuse``, saying where in the scenario the value is that cannot be used."""
    from netsim.scenario.errors import ScenarioError

    try:
        document.check([(error.loc, error.message)])
    except ScenarioError as located:
        refuse(located)
    raise AssertionError("a finding is a problem")
