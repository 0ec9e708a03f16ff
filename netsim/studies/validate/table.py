"""The comparison as people read it."""

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from netsim.results.format import ratio, seconds
from netsim.studies.validate.notes import WIDTH, NotedTable
from netsim.studies.validate.rows import Row
from netsim.studies.validate.verdicts import PROVEN

_COLOURS = {
    "equal": "green",
    "simulated above bound": "cyan",
    "formula loose": "yellow",
    "bound violated": "magenta",
}
_LEFT = ("network", "protocol", "barrier", "closed form")
_TIMES = ("formula", "optimum", "max-min", "fifo", "optimal")
_RATIOS = ("max-min ÷ opt.", "formula ÷ opt.")
_LEGEND = (
    "optimum: with barriers between phases (phase) what the best rates attain, without (round) "
    "what no schedule beats\n"
    "sizes are those of values alone, as the papers count; proven bounds are the optimum, "
    f"{' and '.join(sorted(PROVEN))}\n"
)


def rows_text(rows: Sequence[Row], width: int = WIDTH, coloured: bool = False) -> str:
    """A table, a section a network, the reasons, and how many rows got which verdict."""
    table = NotedTable(_LEFT, (*_TIMES, *_RATIOS))
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        last = following is None or following.network != row.network
        style = "bold red" if row.broken else _COLOURS[kind_of(row.verdict)]
        plain = kind_of(row.verdict) == "equal" and row.formula is not None
        reason = None if plain else row.reason
        table.add(_cells(row), Text(row.verdict, style=style), reason, last)
    return table.text(width, coloured) + _LEGEND + _counted(rows)


def kind_of(verdict: str) -> str:
    """Which of the four verdicts it is, without its figures."""
    return next(kind for kind in _COLOURS if verdict.startswith(kind))


def _cells(row: Row) -> list[str]:
    names = (row.network, row.protocol, row.barrier, row.formula or "-")
    times = (row.formula_s, row.optimum_s, row.max_min_s, row.fifo_s, row.optimal_s)
    return [*names, *map(seconds, times), _ratio(row.max_min_s, row), _ratio(row.formula_s, row)]


def _ratio(time_s: float | None, row: Row) -> str:
    return ratio(time_s / row.optimum_s if time_s is not None and row.optimum_s > 0 else None)


def _counted(rows: Sequence[Row]) -> str:
    counts = Counter(kind_of(row.verdict) for row in rows)
    parts = [f"{counts[kind]} {kind}" for kind in _COLOURS if counts[kind]]
    broken = sum(row.broken for row in rows)
    proven = f"{broken} PROVEN BOUNDS VIOLATED" if broken else "all proven bounds hold"
    return f"{len(rows)} cases: {', '.join(parts)}; {proven}\n"
