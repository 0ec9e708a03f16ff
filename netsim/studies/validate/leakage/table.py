"""Bounds of leakage beside what was observed, as people read them."""

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from netsim.studies.validate.leakage.judged import LeakageRow
from netsim.studies.validate.notes import WIDTH, NotedTable

_COLOURS = {
    "equal": "green",
    "holds": "cyan",
    "approximation": "yellow",
    "no bound here": "magenta",
    "bounds no count": "default",
    "bound violated": "bold red",
}
_LEFT = ("source", "protocol", "setting", "coalition", "quantity")
_RIGHT = ("bound", "observed", "most", "observed ÷ bound")
_LEGEND = (
    "bound and observed: mean over rounds and clients, of one client's update or model; "
    "most: in one round at one client\n"
)


def leakage_text(rows: Sequence[LeakageRow], width: int = WIDTH, coloured: bool = False) -> str:
    """A table, a section a paper, the reasons, and how many rows got which verdict."""
    table = NotedTable(_LEFT, _RIGHT)
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        last = following is None or _paper(following) != _paper(row)
        verdict = Text(row.verdict, style=_COLOURS[kind_of(row.verdict)])
        table.add(_cells(row), verdict, row.reason, last)
    return table.text(width, coloured) + _LEGEND + _counted(rows)


def kind_of(verdict: str) -> str:
    """Which of the verdicts it is, without its figures."""
    return next(kind for kind in _COLOURS if verdict.startswith(kind))


def _paper(row: LeakageRow) -> str:
    return row.source.split()[0]


def _cells(row: LeakageRow) -> list[str]:
    names = [row.source, row.protocol, row.setting, row.coalition, row.quantity]
    figures = (row.bound, row.observed, row.most, row.ratio)
    return names + ["-" if value is None else f"{value:.5g}" for value in figures]


def _counted(rows: Sequence[LeakageRow]) -> str:
    counts = Counter(kind_of(row.verdict) for row in rows)
    parts = [f"{counts[kind]} {kind}" for kind in _COLOURS if counts[kind]]
    broken = sum(row.broken for row in rows)
    proven = f"{broken} PROVEN BOUNDS VIOLATED" if broken else "all proven bounds hold"
    return f"{len(rows)} rows: {', '.join(parts)}; {proven}\n"
