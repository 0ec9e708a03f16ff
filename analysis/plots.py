"""Panels of curves: lines for formulas, hollow markers for what was simulated."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from netsim.results.plot_style import colour, plain_ticks, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIME = "distribution time of a round, s"
NETWORKS = "share of networks, %"
_MARKERS = "osD^vPX<>*"
_SHARES = np.arange(0, 101, 5)


@dataclass(frozen=True)
class Point:
    """By formula and as simulated; None without the one or the other."""

    x: float
    formula: float | None
    simulated: float | None


@dataclass(frozen=True)
class Panel:
    """Curves by name over ``x``.  Markers of a curve without a formula are joined."""

    title: str
    x: str
    log_x: bool
    curves: Mapping[str, list[Point]]
    y: str = TIME
    log_y: bool = True


def spread(values: Sequence[float]) -> list[Point]:
    """For each share of the values, in %, what it does not exceed."""
    return [Point(float(at), None, float(np.percentile(values, at))) for at in _SHARES]


def draw(panels: Sequence[Panel], path: Path) -> None:
    """A picture with the panels side by side and one legend."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    names = list(dict.fromkeys(name for each in panels for name in each.curves))
    with style():
        figure = Figure(figsize=(4.6 * len(panels) + 2.2, 4.2), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for axis, each in zip(axes, panels, strict=True):
            _fill(axis, each, names)
        for axis, each, before in zip(axes, panels, [None, *panels[:-1]], strict=True):
            if before is None or each.y != before.y:
                axis.set_ylabel(each.y)
        key = [Line2D([], [], label=name, **_look(at), mfc="none") for at, name in enumerate(names)]
        if any(point.formula is not None for point in _points(panels)):
            key.append(Line2D([], [], color="none", label="line: formula, marker: simulated"))
        figure.legend(handles=key, loc="outside right center")
        figure.savefig(path, dpi=150)


def _points(panels: Sequence[Panel]) -> list[Point]:
    return [point for each in panels for points in each.curves.values() for point in points]


def _look(number: int) -> dict[str, Any]:
    return {
        "color": colour(number),
        "linestyle": "-" if number < 6 else "--",
        "marker": _MARKERS[number],
        "linewidth": 1.3,
    }


def _fill(axis: "Axes", each: Panel, names: list[str]) -> None:
    for name, points in each.curves.items():
        look = _look(names.index(name)) | {"mfc": "none"}
        lines = [(point.x, point.formula) for point in points if point.formula is not None]
        marks = [(point.x, point.simulated) for point in points if point.simulated is not None]
        if lines:
            axis.plot(*zip(*lines, strict=True), **(look | {"marker": ""}))
        if marks:
            axis.plot(*zip(*marks, strict=True), **(look | ({"linestyle": ""} if lines else {})))
    axis.set_title(each.title, fontsize="medium")
    axis.set_xlabel(each.x)
    if each.log_y:
        axis.set_yscale("log")
        plain_ticks(axis.yaxis)
    if each.log_x:
        axis.set_xscale("log")
        plain_ticks(axis.xaxis)


def write(panels: Sequence[Panel], path: Path) -> None:
    """All points."""
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["panel", "x_name", "y_name", "curve", "x", "formula", "simulated"])
        for each in panels:
            for name, points in each.curves.items():
                for point in points:
                    row = (name, point.x, point.formula, point.simulated)
                    table.writerow([each.title, each.x, each.y, *row])
