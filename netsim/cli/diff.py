"""``netsim diff``."""

import json as jsonlib
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse

DIFFERENT = 1


def diff(
    one: Annotated[Path, typer.Argument(metavar="A", help="A result, or a study.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="Another of the same kind.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what differs between two results or two studies, to the bit.

    Settings, versions, what each run came to, and the first round and the first transfer that
    are not the same.  Times of this machine are left aside.  Exit code 0: the same; 1: they
    differ.
    """
    from netsim.results.compare import compare
    from netsim.results.errors import ResultsError
    from netsim.results.folder import is_result
    from netsim.studies.survey.compare import compare_studies
    from netsim.studies.survey.table import is_study

    try:
        studies = [each for each in (one, other) if is_study(each)]
        results = [each for each in (one, other) if is_result(each)]
        if studies and results:
            told = f"{studies[0]} is a study and {results[0]} a result"
            raise ResultsError(f"{told}; name two of a kind")
        found = (compare_studies if studies else compare)(one, other)
    except ResultsError as error:
        refuse(error)
    if json:
        typer.echo(jsonlib.dumps([asdict(each) for each in found], ensure_ascii=False))
    else:
        typer.echo("\n".join(map(str, found)) or "the same to the bit")
    if found:
        raise typer.Exit(DIFFERENT)
