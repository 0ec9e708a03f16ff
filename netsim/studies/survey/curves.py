"""Curves of a study: a figure against a swept field, a line a run, a panel a setting."""

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from netsim.results.errors import ResultsError
from netsim.studies.survey.table import Row, StudyTable

SEED = "seed"


@dataclass(frozen=True)
class Point:
    """Median, least and greatest value of the seeds at ``x``; infinite where most have none."""

    x: float
    middle: float
    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """What one run comes to at each x, ascending."""

    name: str
    points: tuple[Point, ...]

    def at(self, x: float) -> float:
        """The value at one of its x; infinite elsewhere."""
        return next((point.middle for point in self.points if point.x == x), math.inf)


@dataclass(frozen=True)
class Panel:
    """The curves of one setting of the other swept fields."""

    setting: Mapping[str, Any]
    curves: tuple[Curve, ...]

    def xs(self) -> list[float]:
        """All x of its curves, ascending."""
        return sorted({point.x for curve in self.curves for point in curve.points})


def panels(table: StudyTable, x: str, y: str, by: str) -> list[Panel]:
    """The figure ``y`` against ``x``, each run apart, and within ``by`` if that is a field.

    A column without a value (an accuracy that was never reached) counts as infinite.  Raises
    ``ResultsError`` for a column that is none, or holds no numbers.
    """
    x, y, by = table.column(x), table.column(y), table.column(by)
    if x == SEED:
        raise ResultsError("x cannot be the seed: a line is the median over seeds")
    for axis in (x, y):
        if not table.numbers(axis):
            raise ResultsError(f"'{axis}' holds no numbers to draw")
    rows = [row for row in table.rows if row[x] is not None]
    others = [path for path in free_paths(table, x) if path != by]
    names = _names(rows, by, table.units.get(by))
    grouped: dict[tuple[Hashable, ...], dict[str, list[Row]]] = defaultdict(dict)
    for row in rows:
        setting = tuple(row[path] for path in others)
        grouped[setting].setdefault(names[row["label"], row[by]], []).append(row)
    return [
        Panel(
            dict(zip(others, setting, strict=True)),
            tuple(Curve(name, _points(part, x, y)) for name, part in curves.items()),
        )
        for setting, curves in grouped.items()
    ]


def free_paths(table: StudyTable, x: str) -> list[str]:
    """Swept fields that do not follow from ``x``, from the seed, or from what a run is."""
    return [
        path
        for path in table.paths
        if path not in (x, SEED) and not path.startswith("runs.") and not _follows(table, path, x)
    ]


def _follows(table: StudyTable, path: str, x: str) -> bool:
    """Whether ``path`` has one value at each x."""
    seen: dict[Any, Any] = {}
    return all(seen.setdefault(row[x], row[path]) == row[path] for row in table.rows)


def _names(rows: Sequence[Row], by: str, unit: str | None) -> dict[tuple[Any, Any], str]:
    """What the curve of each (label, value of ``by``) is called."""
    pairs = dict.fromkeys((row["label"], row[by]) for row in rows)
    values = [value for _, value in pairs]
    if by == "label":
        return {pair: pair[0] for pair in pairs}
    if by == "protocol":
        return {pair: pair[1] if values.count(pair[1]) == 1 else pair[0] for pair in pairs}
    return {pair: f"{pair[0]}, {said(by, pair[1], unit)}" for pair in pairs}


def said(path: str, value: Any, unit: str | None) -> str:
    """A setting in words: ``latency = 0.05 s``."""
    amount = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{path.rpartition('.')[2]} = {amount}{f' {unit}' if unit else ''}"


def _points(rows: Sequence[Row], x: str, y: str) -> tuple[Point, ...]:
    by_x: dict[float, list[float]] = defaultdict(list)
    for row in rows:
        by_x[row[x]].append(math.inf if row[y] is None else row[y])
    return tuple(
        Point(at, median(values), min(values), max(values)) for at, values in sorted(by_x.items())
    )
