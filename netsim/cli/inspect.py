"""``netsim inspect``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse


def inspect(
    file: Annotated[Path, typer.Argument(help="A scenario (YAML).")],
    out: Annotated[
        Path | None, typer.Option(help="Draw a picture (PNG) here, beside the text.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="Folder that holds the datasets' files.")
    ] = None,
) -> None:
    """Show which client holds how many samples of which label, before anything runs."""
    from netsim.learning.errors import LearningError
    from netsim.results.errors import ResultsError
    from netsim.scenario.errors import ScenarioError
    from netsim.studies.inspect.holdings import holdings
    from netsim.studies.inspect.picture import save
    from netsim.studies.inspect.text import show
    from netsim.studies.scenario import load

    try:
        scenario = load(file)
        if scenario.task is None:
            refuse(f"{file}: a volume has no samples; nothing to inspect")
        held = holdings(scenario.task, scenario.network.nodes, scenario.seed, data)
        show(held, sys.stdout)
        if out is not None:
            save(held, out)
            typer.echo(f"picture in {out}")
    except (ScenarioError, LearningError, ResultsError) as error:
        refuse(error)
