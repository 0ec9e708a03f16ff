"""``netsim bench``: how fast it is, beside peers in the same run."""

import json as jsonlib
from dataclasses import asdict
from typing import Annotated

import typer

from netsim.cli.errors import refuse

bench = typer.Typer(help="Measure speed, beside peers in the same run.", no_args_is_help=True)


@bench.callback()
def _group() -> None:
    """Measure speed, beside peers in the same run."""


@bench.command()
def network(
    case: Annotated[list[str] | None, typer.Option(help="Only this case (repeatable).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Transfers and protocols without values: wall time, memory, ratio to a peer."""
    from netsim.results.format import byte_size, seconds
    from netsim.scenario.suggest import unknown
    from netsim.studies.bench.network import CASES, measure

    names = case or list(CASES)
    for name in names:
        if name not in CASES:
            refuse(unknown("case", name, list(CASES)))
    rows = []
    for row in measure(names):
        rows.append(row)
        if not json:
            ratio = "" if row.ratio is None else f"{row.ratio:.3g} × {row.peer}"
            typer.echo(
                f"{row.case:<24} {row.seconds:>8.3f} s  makespan {seconds(row.makespan_s):>9}  "
                f"{byte_size(row.peak_memory_bytes):>8}  {ratio or row.peer or ''}"
            )
    if json:
        typer.echo(jsonlib.dumps({"rows": [asdict(row) for row in rows]}))
