"""``netsim report``."""

from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse


def report(
    cell: Annotated[Path, typer.Argument(metavar="STUDY/cells/ID", help="A cell of a study.")],
) -> None:
    """Draw the plots, the trace and the page of one cell, which a study leaves out."""
    from netsim.results.errors import ResultsError
    from netsim.studies.sweep.pages import draw_pages

    try:
        draw_pages(cell)
    except ResultsError as error:
        refuse(error)
    typer.echo(f"report in {cell / 'report.html'}")
