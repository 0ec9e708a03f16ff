"""``netsim cite``."""

from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse


def cite(
    file: Annotated[Path, typer.Argument(help="A scenario or a study (YAML).")],
) -> None:
    """Print BibTeX of the papers a scenario's protocols come from, each once."""
    from netsim.protocols import by_kind
    from netsim.scenario.document import Document
    from netsim.scenario.errors import ScenarioError
    from netsim.studies.scenario import SWEEP, read_single
    from netsim.studies.sweep.plan import read_study

    try:
        document = Document.load(file)
        if SWEEP in document.data:
            runs = [cell.run for cell in read_study(file, many=True).cells]
        else:
            runs = [*read_single(document).runs]
    except ScenarioError as error:
        refuse(error)
    entries = dict.fromkeys(by_kind(run.kind).paper.bibtex for run in runs)
    typer.echo("\n\n".join(entries))
