"""The figures of a study."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from netsim.results.format import BYTE_UNITS, TIME_UNITS, Unit, unit_for
from netsim.results.plot_style import colour, line_look, plain_label, plain_ticks
from netsim.studies.survey.curves import Curve, Panel
from netsim.studies.survey.pareto import Candidate, Cost, front
from netsim.studies.survey.table import StudyTable
from netsim.studies.survey.words import scale_of, setting_text

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH_IN, _HEIGHT_IN = 4.6, 3.3
_IN_A_ROW = 3
_WIDE_RATIO = 20.0


def draw_curves(shown: Sequence[Panel], table: StudyTable, x: str, y: str) -> "Figure":
    """``y`` against ``x``, a panel a setting; lines are medians of seeds, bands their range."""
    names = list(dict.fromkeys(curve.name for panel in shown for curve in panel.curves))
    figure, panes = _panes(len(shown))
    x_scale = scale_of(table.units.get(x), _middle(table.numbers(x)))
    y_scale = _y_scale(y, table.numbers(y))
    for axes, panel in zip(panes, shown, strict=False):
        for curve in panel.curves:
            _line(axes, curve, names, x_scale, y_scale)
        _dress(axes, panel, table, (x, x_scale), (y, y_scale))
    _legend(figure, panes, len(names))
    return figure


def draw_fronts(groups: Sequence[tuple[str, Sequence[Candidate]]], cost: Cost) -> "Figure":
    """Accuracy against a cost, a panel a setting; the line joins those that none beats."""
    names = list(dict.fromkeys(each.name for _, group in groups for each in group))
    figure, panes = _panes(len(groups))
    for axes, (title, group) in zip(panes, groups, strict=False):
        _front(axes, group, names, cost)
        axes.set_title(title, fontsize=9)
    _legend(figure, panes, len(names))
    return figure


def _front(axes: "Axes", group: Sequence[Candidate], names: Sequence[str], cost: Cost) -> None:
    unit = unit_for(max((each.cost for each in group), default=0.0), cost.units)
    best = front(group)
    xs = [each.cost / unit.factor for each in best]
    axes.plot(xs, [each.accuracy for each in best], color="0.6", linewidth=1.2, zorder=1)
    for each in group:
        look = line_look(names.index(each.name), len(names), 1)
        look |= {"linestyle": "none", "markersize": 7}
        point = ([each.cost / unit.factor], [each.accuracy])
        axes.plot(*point, label=plain_label(each.name), **look)
    axes.set_xlabel(f"{cost.words} ({unit.name})" if unit.name else cost.words)
    axes.set_ylabel("Final accuracy")
    if _wide([each.cost for each in group]):
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)


def _panes(count: int) -> "tuple[Figure, list[Axes]]":
    from matplotlib.figure import Figure

    columns = min(count, _IN_A_ROW)
    rows = -(-count // columns)
    figure = Figure(
        figsize=(max(6.0, _WIDTH_IN * columns), _HEIGHT_IN * rows), layout="constrained"
    )
    panes = figure.subplots(rows, columns, squeeze=False).flatten().tolist()
    for empty in panes[count:]:
        empty.set_axis_off()
    return figure, panes[:count]


def _line(axes: "Axes", curve: Curve, names: Sequence[str], x: Unit, y: Unit) -> None:
    known = [point for point in curve.points if math.isfinite(point.middle)]
    if not known:
        return
    at, xs = names.index(curve.name), [point.x / x.factor for point in known]
    look: dict[str, Any] = line_look(at, len(names), len(xs))
    label = plain_label(curve.name)
    axes.plot(xs, [point.middle / y.factor for point in known], label=label, **look)
    low, high = ([getattr(p, end) / y.factor for p in known] for end in ("low", "high"))
    if low != high:
        # No band where a seed has no value.
        reached = [math.isfinite(each) for each in high]
        axes.fill_between(xs, low, high, where=reached, color=colour(at), alpha=0.15, linewidth=0)


def _dress(
    axes: "Axes", panel: Panel, table: StudyTable, x: tuple[str, Unit], y: tuple[str, Unit]
) -> None:
    values = [p.middle for c in panel.curves for p in c.points if math.isfinite(p.middle)]
    if _wide(panel.xs()):
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
    if _wide(values):
        axes.set_yscale("log")
        plain_ticks(axes.yaxis)
    axes.set_xlabel(_label(*x))
    axes.set_ylabel(_label(*y))
    axes.set_title(setting_text(panel.setting, table), fontsize=9)


def _label(name: str, scale: Unit) -> str:
    words = name.removesuffix("_s").removesuffix("_bytes").replace("_", " ")
    return f"{words} ({scale.name})" if scale.name else words


def _y_scale(name: str, values: Sequence[float]) -> Unit:
    for ending, units in (("_s", TIME_UNITS), ("_bytes", BYTE_UNITS)):
        if name.endswith(ending):
            return unit_for(_middle(values), units)
    return Unit("", 1.0, 0.0)


def _middle(values: Sequence[float]) -> float:
    """Of a range, on a logarithmic axis where it is positive."""
    least, most = values[0], values[-1]
    return math.sqrt(least * most) if least > 0 else most


def _wide(values: Sequence[float]) -> bool:
    return bool(values) and min(values) > 0 and max(values) > _WIDE_RATIO * min(values)


def _legend(figure: "Figure", panes: "Sequence[Axes]", curves: int) -> None:
    found: dict[str, Artist] = {}
    for axes in panes:
        handles, labels = axes.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    if not found:
        return
    across = int(13 * figure.get_figwidth())
    columns = max(1, min(curves, across // (max(map(len, found)) + 7)))
    figure.set_figheight(figure.get_figheight() + 0.21 * -(-curves // columns))
    figure.legend([*found.values()], [*found], loc="outside lower center", ncols=columns)
