"""``netsim explain``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse


def explain(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A result folder.")],
    round: Annotated[
        int | None, typer.Option(min=0, help="Explain this round, not the slowest.")
    ] = None,
    run: Annotated[str | None, typer.Option(help="Only the run with this label.")] = None,
) -> None:
    """Say why a round took its time: what it waited for in turn, and the link that held it up.

    By default the slowest round of each run.
    """
    from netsim.results.errors import ResultsError
    from netsim.results.explain_text import explanation_text
    from netsim.results.reading import read_rounds

    try:
        told = read_rounds(folder, round, run)
    except ResultsError as error:
        refuse(error)
    text = "\n".join(map(explanation_text, told))
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(text.encode(encoding, "replace").decode(encoding), nl=False)
