"""``netsim validate``."""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from netsim.cli.errors import DEADLOCK, FAILED_RUN, refuse, refuse_task
from netsim.cli.options import DataFolder

if TYPE_CHECKING:
    from netsim.studies.validate.cases import Case
    from netsim.studies.validate.rows import Row
    from netsim.studies.validate.written import Published

T = TypeVar("T")
P = TypeVar("P", bound="Published")

_PAPERS, _LEAKAGE = "papers", "leakage"


def validate(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|papers|leakage]",
            help="A scenario (YAML), or the word papers or leakage; every protocol without it.",
            show_default=False,
        ),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data: DataFolder = None,
) -> None:
    """Compare closed forms of distribution time, or bounds of leakage, with the simulation.

    Without an argument: every protocol on seven networks of ten clients with a model of 10000
    parameters, with barriers between phases (phase) and without (round). With FILE: the
    protocols and the network of a scenario. With papers: every figure of the papers' tables of
    volume and distribution time. With leakage: the papers' bounds of what an observer learns,
    beside what observers in the simulation received.

    Exit code 0: all bounds that were proven hold; 1: one does not; 2: the input cannot be used;
    3: a needed link has rate zero, and a round never ends.
    """
    if csv and json:
        refuse("write --csv or --json, not both")
    if what == _PAPERS:
        from netsim.studies.validate.papers.rows import paper_rows
        from netsim.studies.validate.papers.table import papers_text

        _write(list(paper_rows()), papers_text, csv, json)
    elif what == _LEAKAGE:
        _exit_if(_leakage(csv, json))
    else:
        from netsim.studies.validate.table import rows_text

        rows = _rows(_cases(what, data))
        _write(rows, rows_text, csv, json)
        _exit_if(row.broken for row in rows)


def _leakage(csv: bool, json: bool) -> list[bool]:
    """Write the comparison of leakage; of each row whether it breaks what was proven."""
    from netsim.studies.validate.leakage.rows import leakage_rows
    from netsim.studies.validate.leakage.table import leakage_text

    rows = list(leakage_rows())
    _write(rows, leakage_text, csv, json)
    return [row.broken for row in rows]


def _exit_if(broken: Iterable[bool]) -> None:
    if any(broken):
        raise typer.Exit(FAILED_RUN)


def _cases(what: str | None, data: Path | None) -> "list[Case]":
    from netsim.learning.errors import LearningError
    from netsim.scenario.document import Document
    from netsim.scenario.errors import ScenarioError
    from netsim.studies.scenario import read_single
    from netsim.studies.validate.cases import default_cases, left_out, scenario_cases
    from netsim.studies.validate.size import parameters_of

    if what is None:
        return list(default_cases())
    try:
        document = Document.load(what)
        scenario = read_single(document)
        for note in left_out(scenario):
            typer.echo(note, err=True)
        try:
            parameters = parameters_of(scenario, data)
        except LearningError as error:
            refuse_task(document, error)
        return list(scenario_cases(scenario, parameters))
    except ScenarioError as error:
        refuse(error)


def _rows(cases: "Sequence[Case]") -> "list[Row]":
    from netsim.kernel import Deadlock

    rows = []
    for case in _watched(cases):
        try:
            rows.append(case.row())
        except Deadlock as error:
            typer.echo(f"{case.protocol} never ends a round: {error}", err=True)
            raise typer.Exit(DEADLOCK) from None
    return rows


def _watched(cases: Iterable[T]) -> Iterator[T]:
    """The same, with a bar in a terminal."""
    from rich.console import Console
    from rich.progress import track

    return iter(
        track(
            list(cases),
            "comparing",
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
    )


def _write(
    rows: Sequence[P], text: "Callable[[Sequence[P], int, bool], str]", csv: bool, json: bool
) -> None:
    from netsim.studies.validate import notes, written

    terminal = sys.stdout.isatty()
    if json:
        content = written.as_json(rows)
    elif csv:
        content = written.as_csv(rows)
    else:
        width = shutil.get_terminal_size().columns if terminal else notes.WIDTH
        content = text(rows, width, terminal)
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(content.encode(encoding, "replace").decode(encoding), nl=False)
