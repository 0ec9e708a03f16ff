"""``netsim bench``: how fast it is, beside peers in the same run."""

import json as jsonlib
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from netsim.cli.errors import refuse

if TYPE_CHECKING:
    from netsim.studies.bench.measured import Measured
    from netsim.studies.bench.trained import Trained

T = TypeVar("T", "Measured", "Trained")

bench = typer.Typer(help="Measure speed, beside peers in the same run.", no_args_is_help=True)

Cases = Annotated[list[str] | None, typer.Option(help="Only this case (repeatable).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@bench.callback()
def _group() -> None:
    """Measure speed, beside peers in the same run."""


@bench.command()
def network(case: Cases = None, json: Json = False) -> None:
    """Transfers and protocols without values: wall time, memory, ratio to a peer."""
    from netsim.results.format import byte_size, seconds
    from netsim.studies.bench.measured import Measured
    from netsim.studies.bench.network import CASES
    from netsim.studies.bench.processes import measure

    def line(row: "Measured") -> str:
        ratio = "" if row.ratio is None else f"{row.ratio:.3g} × {row.peer}"
        return (
            f"{row.case:<24} {row.seconds:>8.3f} s  makespan {seconds(row.makespan_s):>9}  "
            f"{byte_size(row.peak_memory_bytes):>8}  {ratio or row.peer or ''}"
        )

    names = _chosen(case, CASES)
    _show(measure("netsim.studies.bench.network", names, Measured), line, json)


@bench.command()
def learning(case: Cases = None, json: Json = False) -> None:
    """Rounds of training: rounds a second beside a plain PyTorch loop, and memory."""
    from netsim.results.format import byte_size
    from netsim.studies.bench.learning import CASES
    from netsim.studies.bench.processes import measure
    from netsim.studies.bench.trained import Trained

    def line(row: "Trained") -> str:
        beside = ""
        if row.ratio is not None:
            beside = f"{row.ratio:>6.2f} × {row.peer}  error {row.error:.1e}"
        return (
            f"{row.case:<20} {row.rounds_per_s:>8.3g} rounds/s  {row.gradients:<9}"
            f"{byte_size(row.peak_memory_bytes):>8}  {beside}"
        ).rstrip()

    names = _chosen(case, CASES)
    _show(measure("netsim.studies.bench.learning", names, Trained), line, json)


def _chosen(case: list[str] | None, cases: Iterable[str]) -> list[str]:
    """The cases asked for, by default all; refuses one that there is not."""
    from netsim.scenario.suggest import unknown

    known = list(cases)
    for name in case or ():
        if name not in known:
            refuse(unknown("case", name, known))
    return case or known


def _show(measured: Iterable[T], line: Callable[[T], str], json: bool) -> None:
    """Rows as they come, or all of them as JSON."""
    rows = []
    for row in measured:
        rows.append(row)
        if not json:
            typer.echo(line(row))
    if json:
        typer.echo(jsonlib.dumps({"rows": [asdict(row) for row in rows]}))
