"""The one look of all figures, how they are saved, and how a page takes them in."""

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

INK = "#1f2328"
"""Text and axes; a page turns it into its own text colour."""
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito's palette for the colour-blind, less black and yellow."""
_MARKERS = "osD^vPX"
_DASHES = ("-", "--", ":")
_MAX_LABEL = 44
_LONG = 200.0
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.color": INK,
    # A dollar sign in a label is a dollar sign.
    "text.parse_math": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#8c959f",
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "hatch.linewidth": 0.8,
    # Ids in an SVG come from its contents alone, so that the file does too.
    "svg.hashsalt": "netsim",
}


@contextmanager
def style() -> Iterator[None]:
    """Matplotlib's settings for drawing and saving; restored on leaving."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def colour(index: int) -> str:
    """The colour of the ``index``-th run, the same in every figure."""
    return _COLOURS[index % len(_COLOURS)]


def line_look(index: int, runs: int, points: int) -> dict[str, Any]:
    """How the ``index``-th of ``runs`` is drawn as a line, told apart by more than colour.

    Later lines are thinner, so that runs with equal results stay visible under each other.
    """
    later = index / max(1, runs - 1)
    return {
        "color": colour(index),
        "linestyle": _DASHES[index // len(_COLOURS) % len(_DASHES)],
        "marker": _MARKERS[index % len(_MARKERS)],
        "markevery": max(1, points // 10),
        "markersize": 6.5 - 3.0 * later,
        "linewidth": 2.8 - 1.6 * later,
    }


def plain_label(label: str) -> str:
    """A run's label as a figure shows it: not too long, and not hidden by a leading underscore."""
    text = label if len(label) <= _MAX_LABEL else label[: _MAX_LABEL - 1] + "…"
    return f" {text}" if text.startswith("_") else text


def plain_ticks(axis: "Axis") -> None:
    """Tick labels of a logarithmic axis as plain numbers: 0.1, 1, 20; decades on a long one."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < _LONG * low else (1.0,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def save(figures: Mapping[str, "Figure"], folder: Path) -> None:
    """Write each figure as PNG and as SVG; call inside :func:`style`."""
    for name, figure in figures.items():
        figure.savefig(folder / f"{name}.png", dpi=160)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def inline_svg(figure: "Figure") -> str:
    """An ``<svg>`` element without a background, in the colour of the text around it."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return svg.replace(INK, "currentColor")
