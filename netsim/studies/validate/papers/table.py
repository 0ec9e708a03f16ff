"""The papers' figures as people read them."""

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from netsim.studies.validate.notes import WIDTH, NotedTable
from netsim.studies.validate.papers.reading import AGREED
from netsim.studies.validate.papers.rows import PaperRow

_COLOURS = {"reproduced only": "yellow", "reproduced": "green", "not reproduced": "magenta"}
_LEFT, _RIGHT = ("source", "setting", "method", "quantity"), ("paper", "formula", "simulated")


def papers_text(rows: Sequence[PaperRow], width: int = WIDTH, coloured: bool = False) -> str:
    """A table, a section a table of the papers, the reasons, and how many got which verdict."""
    table = NotedTable(_LEFT, _RIGHT)
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        last = following is None or following.source != row.source
        kind = _kind(row)
        plain = kind == "reproduced" and row.reason == AGREED
        table.add(_cells(row), Text(kind, style=_COLOURS[kind]), None if plain else _why(row), last)
    counts = Counter(map(_kind, rows))
    parts = [f"{counts[kind]} {kind}" for kind in _COLOURS if counts[kind]]
    return table.text(width, coloured) + f"{len(rows)} figures: {', '.join(parts)}\n"


def _cells(row: PaperRow) -> list[str]:
    values = (row.paper, row.formula, row.simulated)
    figures = ("-" if value is None else f"{value:.6g}" for value in values)
    return [row.source, row.setting, row.method, row.quantity, *figures]


def _kind(row: PaperRow) -> str:
    return next(kind for kind in _COLOURS if row.verdict.startswith(kind))


def _why(row: PaperRow) -> str:
    return row.verdict if row.reason == AGREED else f"{row.verdict}; {row.reason}"
