"""Accuracies against what was swept, drawn as the papers draw them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from netsim.results.plot_style import colour, style

Line = Mapping[float, Sequence[float]]
"""Percent, one a seed, at each x; the same x in all lines of a picture."""


def draw(lines: Mapping[str, Line], x: str, y: str, path: Path, ticks: Sequence[str] = ()) -> None:
    """A picture: means as lines, bars from the least to the greatest of the seeds.

    With ``ticks`` every x has the same distance from the next, and is called by its tick.
    """
    from matplotlib.figure import Figure

    places = [*next(iter(lines.values()))]
    xs = list(range(len(ticks))) if ticks else places
    with style():
        figure = Figure(figsize=(5.6, 3.8), layout="constrained")
        axis = figure.subplots()
        for number, (name, line) in enumerate(lines.items()):
            means = [fmean(each) for each in line.values()]
            axis.plot(xs, means, "os^D"[number % 4] + "-", color=colour(number), label=name)
            least, most = map(min, line.values()), map(max, line.values())
            axis.vlines(xs, list(least), list(most), color=colour(number))
        axis.set_xticks(xs, ticks or [f"{place:g}" for place in places])
        axis.set_xlabel(x)
        axis.set_ylabel(y)
        axis.legend(frameon=False)
        figure.savefig(path, dpi=150)
