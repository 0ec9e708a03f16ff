"""Who holds what, as a figure: a disc for each client and label, as large as the samples many."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from netsim.results.errors import unwritable
from netsim.results.plot_style import colour, style
from netsim.studies.inspect.holdings import Holdings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_LABELS, _MOST_NAMES = 40, 20
_LARGEST = 150.0
"""Area of the largest disc, in square points."""


def save(held: Holdings, path: Path) -> None:
    """Put a PNG at ``path``; raises ``ResultsError``."""
    with style():
        figure = draw(held)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, format="png", dpi=150)
        except OSError as error:
            raise unwritable(path, error) from error


def draw(held: Holdings) -> "Figure":
    """Discs by client and label above the samples of each client; call inside ``style()``.

    With more than 40 labels the samples alone.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    clients, labels = held.counts_KL.shape
    many = labels > _MOST_LABELS
    height_in = 2.2 if many else 3.0 + 0.12 * labels
    figure = Figure(figsize=(max(5.0, min(14.0, 0.14 * clients + 2)), height_in))
    figure.set_layout_engine("constrained")
    rows = 1 if many else 2
    every = figure.subplots(rows, sharex=True, squeeze=False, height_ratios=[3, 1][-rows:])[:, 0]
    if not many:
        _discs(held, every[0])
        _label_ticks(held, every[0])
    bottom = every[-1]
    bottom.bar(np.arange(clients), held.counts_KL.sum(1), 0.8, color=colour(0))
    if held.held_out_K.any():
        base_K = held.counts_KL.sum(1)
        bottom.bar(
            np.arange(clients), held.held_out_K, 0.8, base_K, color=colour(1), label="held out"
        )
        figure.legend(loc="outside upper right")
    bottom.set_xlabel("Client")
    bottom.set_ylabel("Samples")
    bottom.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return figure


def _discs(held: Holdings, axes: "Axes") -> None:
    client, label = np.nonzero(held.counts_KL)
    counts = held.counts_KL[client, label]
    areas = _LARGEST * counts / counts.max(initial=1)
    discs = axes.scatter(client, label, areas, color=colour(0), alpha=0.8, linewidths=0)
    most = counts.max(initial=1)
    some = sorted({-(-most // 10), -(-most // 2), most})
    axes.legend(
        *discs.legend_elements(
            "sizes", num=some, fmt="{x:,.0f}", func=lambda area: area * most / _LARGEST
        ),
        title="Samples",
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        labelspacing=1.2,
    )
    axes.set_ylabel(held.labels.capitalize())
    axes.margins(0.03, 0.08)


def _label_ticks(held: Holdings, axes: "Axes") -> None:
    """The names of the labels where there is room for all, else some of them."""
    count = len(held.names)
    step = -(-count // _MOST_NAMES)
    axes.set_yticks(range(0, count, step), held.names[::step])
