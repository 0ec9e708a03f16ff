"""``netsim inspect``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse, refuse_task
from netsim.cli.options import DataFolder


def inspect(
    file: Annotated[Path, typer.Argument(help="A scenario (YAML).")],
    out: Annotated[
        Path | None, typer.Option(help="Draw a picture (PNG) here, beside the text.")
    ] = None,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV: a row for each client and label it holds.")
    ] = False,
    data: DataFolder = None,
) -> None:
    """Show which client holds how many samples of which label, before anything runs."""
    from netsim.learning.errors import LearningError
    from netsim.results.errors import ResultsError
    from netsim.scenario.document import Document
    from netsim.scenario.errors import ScenarioError
    from netsim.studies.inspect.holdings import holdings
    from netsim.studies.inspect.picture import save
    from netsim.studies.inspect.text import show, write_csv
    from netsim.studies.scenario import read_single

    try:
        document = Document.load(file)
        scenario = read_single(document)
        if scenario.task is None:
            refuse(f"{file}: a volume has no samples; nothing to inspect")
        try:
            held = holdings(scenario, data)
        except LearningError as error:
            refuse_task(document, error)
        (write_csv if csv else show)(held, sys.stdout)
        if out is not None:
            save(held, out)
            typer.echo(f"picture in {out}", err=csv)
    except (ScenarioError, ResultsError) as error:
        refuse(error)
