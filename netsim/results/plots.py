"""The figures of a result folder and of its report: runs side by side."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from netsim.learning.metrics import Metric
from netsim.results.figures import run_figures
from netsim.results.format import BYTE_UNITS, TIME_UNITS, Unit, as_bytes, byte_size, unit_for
from netsim.results.plot_style import colour, line_look, plain_label, plain_ticks
from netsim.results.records import RoundRecord, RunResult, Traffic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH_IN = 6.0
_WIDE_RATIO = 20.0
"""Runs whose times lie further apart than this get a logarithmic axis."""

METRIC_LABELS = {"accuracy": "Accuracy", "perplexity": "Perplexity", "rmse": "RMSE"}

Coordinate = Callable[[RoundRecord], float | None]


def draw(runs: Sequence[RunResult]) -> dict[str, "Figure"]:
    """The figures that ``runs`` have data for, by file name; call inside ``style()``."""
    records = [record for run in runs for record in run.rounds]
    figures = {}
    if any(r.value(run.metric) is not None for run in runs for r in run.rounds):
        name = runs[0].metric.name
        figures[f"{name}_over_time"] = _metric_over_time(runs)
        figures[f"{name}_over_rounds"] = _metric_over_rounds(runs)
    if any(record.distribution_s is not None for record in records):
        figures["distribution_time"] = _distribution_time(runs)
    if any(run.transfers.sent_bits.any() for run in runs):
        figures["bytes"] = _bytes(runs)
    return figures


def _metric_over_time(runs: Sequence[RunResult]) -> "Figure":
    ends_s = [run.rounds[-1].end_s for run in runs if run.rounds]
    unit = _time_unit(ends_s)
    figure, axes = _axes(f"Virtual time ({unit.name})", metric_label(runs))
    _metric_curves(axes, runs, lambda record: record.end_s / unit.factor)
    if _wide(ends_s):
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
    _legend(figure, axes, len(runs))
    return figure


def _metric_over_rounds(runs: Sequence[RunResult]) -> "Figure":
    figure, axes = _axes("Round", metric_label(runs))
    _metric_curves(axes, runs, lambda record: record.round)
    _whole_rounds(axes)
    _legend(figure, axes, len(runs))
    return figure


def _metric_curves(axes: "Axes", runs: Sequence[RunResult], x: Coordinate) -> None:
    """Means, each within the band of its least and greatest model where there are several."""
    metric = runs[0].metric
    _curves(axes, runs, x, lambda record: record.value(metric))
    for i, run in enumerate(runs):
        xs, low = _points(run.rounds, x, lambda record: _end(record, metric, "min"))
        _, high = _points(run.rounds, x, lambda record: _end(record, metric, "max"))
        if low != high:
            axes.fill_between(xs, low, high, color=colour(i), alpha=0.15, linewidth=0)


def _end(record: RoundRecord, metric: Metric, end: str) -> float | None:
    """The least or the greatest of the models' values."""
    if metric.name == "accuracy":
        return record.accuracy_min if end == "min" else record.accuracy_max
    spread = record.metrics.get(metric.name)
    return None if spread is None else getattr(spread, end)


def metric_label(runs: Sequence[RunResult]) -> str:
    """What the runs' metric is called on an axis."""
    return METRIC_LABELS[runs[0].metric.name]


def _distribution_time(runs: Sequence[RunResult]) -> "Figure":
    times_s = [r.distribution_s for run in runs for r in run.rounds if r.distribution_s]
    unit = _time_unit(times_s)
    figure, axes = _axes("Round", f"Distribution time of the round ({unit.name})")
    _curves(axes, runs, lambda record: record.round, lambda record: _scaled(record, unit))
    if _wide(times_s):
        axes.set_yscale("log")
        plain_ticks(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
    _whole_rounds(axes)
    _legend(figure, axes, len(runs))
    return figure


def _scaled(record: RoundRecord, unit: Unit) -> float | None:
    return None if record.distribution_s is None else record.distribution_s / unit.factor


def _bytes(runs: Sequence[RunResult]) -> "Figure":
    traffic = [run_figures(run).traffic for run in runs]
    unit = unit_for(max(as_bytes(part.sent_bits) for part in traffic), BYTE_UNITS)
    label = f"Sent over the whole run ({unit.name})"
    figure, axes = _axes(label, "", height_in=0.9 + 0.42 * len(runs))
    for i, (run, part) in enumerate(zip(runs, traffic, strict=True)):
        _bar(axes, i, part, unit)
        lost = f", {byte_size(as_bytes(part.lost_bits))} of it lost" if part.lost_bits else ""
        text = f"{plain_label(run.label)}: {byte_size(as_bytes(part.sent_bits))}{lost}"
        axes.annotate(text, (0, i - 0.22), (3, 1), textcoords="offset points", va="bottom")
    axes.set_ylim(len(runs) - 0.6, -0.85)
    axes.set_xlim(left=0)
    axes.set_yticks([])
    axes.grid(visible=False)
    return figure


def _bar(axes: "Axes", i: int, part: Traffic, unit: Unit) -> None:
    """Bytes that arrived, then those that were lost, hatched."""
    delivered = as_bytes(part.delivered_bits) / unit.factor
    lost = as_bytes(part.lost_bits) / unit.factor
    look: dict[str, Any] = {"hatch": "////", "facecolor": "none", "edgecolor": colour(i)}
    axes.barh(i, delivered, 0.4, color=colour(i))
    axes.barh(i, lost, 0.4, left=delivered, **(look if lost else {}))


def _axes(x_label: str, y_label: str, height_in: float = 3.4) -> tuple["Figure", "Axes"]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH_IN, height_in), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    return figure, axes


def _curves(axes: "Axes", runs: Sequence[RunResult], x: Coordinate, y: Coordinate) -> None:
    """A line a run through the rounds that have both coordinates."""
    for i, run in enumerate(runs):
        xs, ys = _points(run.rounds, x, y)
        if xs:
            axes.plot(xs, ys, label=plain_label(run.label), **line_look(i, len(runs), len(xs)))


def _points(
    rounds: Sequence[RoundRecord], x: Coordinate, y: Coordinate
) -> tuple[list[float], list[float]]:
    pairs = [(x(record), y(record)) for record in rounds]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return [a for a, _ in known], [b for _, b in known]


def _legend(figure: "Figure", axes: "Axes", runs: int) -> None:
    """Names of the lines under the axes, in as many columns as fit; none for a single run."""
    if runs < 2:
        return
    handles, labels = axes.get_legend_handles_labels()
    columns = max(1, min(len(labels), 80 // (max(map(len, labels)) + 7)))
    rows = -(-len(labels) // columns)
    figure.set_figheight(figure.get_figheight() + 0.21 * rows)
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def _time_unit(times_s: Sequence[float]) -> Unit:
    """The unit of a time axis: by its longest time, or its middle if it is logarithmic."""
    longest_s = max(times_s, default=0.0)
    middle_s = math.sqrt(longest_s * min(times_s, default=0.0))
    return unit_for(middle_s if _wide(times_s) else longest_s, TIME_UNITS)


def _wide(values: Sequence[float]) -> bool:
    positive = [value for value in values if value > 0]
    return bool(positive) and max(positive) > _WIDE_RATIO * min(positive)


def _whole_rounds(axes: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
