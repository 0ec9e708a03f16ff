"""The fronts of a study: accuracy against what it costs."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from netsim.results.format import TIME_UNITS, Unit
from netsim.studies.survey.curves import free_paths
from netsim.studies.survey.figures import draw_fronts
from netsim.studies.survey.pareto import Candidate, Cost
from netsim.studies.survey.survey import check_panels
from netsim.studies.survey.table import Row, StudyTable
from netsim.studies.survey.words import amount, setting_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ACCURACY: Final = "final_accuracy"
_TIME: Final = Cost("simulated_time_s", "Virtual time of the run", TIME_UNITS)
_LEAKAGE: Final = Cost(
    "seen_share", "Largest share of an update that one observer got", (Unit("", 1.0, 0.0),)
)
_FRONTS: Final = {"accuracy_against_time": _TIME, "accuracy_against_leakage": _LEAKAGE}
Group = tuple[str, list[Candidate]]


def fronts(table: StudyTable, x: str) -> "dict[str, Figure]":
    """Figures by name, each at the lowest, the middle and the highest x of each setting.

    One panel is enough where all are the same.  Runs without the cost are left out, and figures
    that none has.  Raises ``ResultsError`` for too many panels.
    """
    x = table.column(x)
    figures = {}
    for name, cost in _FRONTS.items():
        groups = _told_apart([*_groups(table, x, cost)])
        if any(candidates for _, candidates in groups):
            check_panels(groups)
            figures[name] = draw_fronts(groups, cost)
    return figures


def _told_apart(groups: list[Group]) -> list[Group]:
    """One group without a title where several hold the same."""
    first = groups[0][1]
    same = len(groups) > 1 and all(group == first for _, group in groups)
    return [("", first)] if same else groups


def _groups(table: StudyTable, x: str, cost: Cost) -> Iterator[Group]:
    """The runs of each setting at three values of x."""
    xs = table.numbers(x)
    for at in dict.fromkeys((xs[0], xs[len(xs) // 2], xs[-1])):
        rows: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
        others = free_paths(table, x)
        for row in table.rows:
            if row[x] == at:
                rows[tuple(row[path] for path in others)].append(row)
        for setting, part in rows.items():
            rest = setting_text(dict(zip(others, setting, strict=True)), table)
            name = f"{x} = {amount(at, table.units.get(x))}"
            yield f"{name}\n{rest}" if rest else name, _candidates(part, cost)


def _candidates(rows: Sequence[Row], cost: Cost) -> list[Candidate]:
    """Each run by the medians of its rows."""
    by_name: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.get(cost.column) is not None and row[_ACCURACY] is not None:
            by_name[row["label"]].append(row)
    found = [
        Candidate(name, median(r[cost.column] for r in part), median(r[_ACCURACY] for r in part))
        for name, part in by_name.items()
    ]
    assert all(math.isfinite(each.cost) for each in found)
    return found
