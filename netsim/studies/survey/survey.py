"""A study looked over: its figures drawn, and what they show in words."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from netsim.results.errors import ResultsError, unwritable
from netsim.studies.survey.curves import Panel, free_paths, panels
from netsim.studies.survey.figures import draw_curves, draw_fronts
from netsim.studies.survey.pareto import Candidate
from netsim.studies.survey.table import Row, StudyTable
from netsim.studies.survey.words import amount, crossing_lines, elasticity_rows, setting_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 12
_ACCURACY, _TIME = "final_accuracy", "simulated_time_s"


@dataclass(frozen=True)
class Finding:
    """What one figure shows at one setting: who is best where, and elasticities."""

    y: str
    x: str
    setting: str
    crossings: Sequence[str]
    elasticities: Sequence[tuple[str, str, str, str]]


def survey(
    table: StudyTable, x: str, ys: Sequence[str], by: str
) -> "tuple[dict[str, Figure], list[Finding]]":
    """Figures by file name and what they show; call inside ``plot_style.style()``.

    Raises ``ResultsError`` for a column that is none, or too many panels.
    """
    figures: dict[str, Figure] = {}
    findings: list[Finding] = []
    for y in map(table.column, ys):
        shown = panels(table, x, y, by)
        _check(shown)
        figures[f"{y}_by_{table.column(x)}"] = draw_curves(shown, table, table.column(x), y)
        findings += [_finding(panel, table, table.column(x), y) for panel in shown]
    return figures, findings


def fronts(table: StudyTable, x: str) -> "dict[str, Figure]":
    """Accuracy against time, at the lowest, the middle and the highest x of each setting."""
    x = table.column(x)
    if not table.numbers(_ACCURACY):
        return {}
    groups = [*_groups(table, x)]
    _check(groups)
    return {"accuracy_against_time": draw_fronts(groups)}


def save(figures: "Mapping[str, Figure]", folder: Path) -> None:
    """Write the figures; raises ``ResultsError`` where that cannot be."""
    from netsim.results import plot_style

    try:
        folder.mkdir(parents=True, exist_ok=True)
        plot_style.save(figures, folder)
    except OSError as error:
        raise unwritable(folder, error) from error


def _check(shown: Sequence[Any]) -> None:
    if len(shown) > MOST_PANELS:
        raise ResultsError(
            f"{len(shown)} panels, more than {MOST_PANELS}; choose some by --where, "
            "or draw a field as lines by --by"
        )


def _finding(panel: Panel, table: StudyTable, x: str, y: str) -> Finding:
    best = [] if "accuracy" in y else crossing_lines(panel, table, x, y)
    return Finding(y, x, setting_text(panel.setting, table), best, elasticity_rows(panel))


def _groups(table: StudyTable, x: str) -> Iterator[tuple[str, list[Candidate]]]:
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
            yield f"{name}\n{rest}" if rest else name, _candidates(part)


def _candidates(rows: Sequence[Row]) -> list[Candidate]:
    """Each run by the medians of its rows."""
    by_name: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row[_TIME] is not None and row[_ACCURACY] is not None:
            by_name[row["label"]].append(row)
    found = [
        Candidate(name, median(r[_TIME] for r in part), median(r[_ACCURACY] for r in part))
        for name, part in by_name.items()
    ]
    assert all(math.isfinite(each.cost) for each in found)
    return found
