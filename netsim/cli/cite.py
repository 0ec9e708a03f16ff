"""``netsim cite``."""

from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse


def cite(
    file: Annotated[Path, typer.Argument(help="A scenario (YAML).")],
) -> None:
    """Print BibTeX of the papers a scenario's protocols come from, each once."""
    from netsim.protocols import by_kind
    from netsim.scenario.errors import ScenarioError
    from netsim.studies.scenario import load

    try:
        scenario = load(file)
    except ScenarioError as error:
        refuse(error)
    entries = dict.fromkeys(by_kind(run.kind).paper.bibtex for run in scenario.runs)
    typer.echo("\n\n".join(entries))
