"""Who holds what, as lines of text: a bar a client, a sign a label."""

from string import ascii_letters, digits
from typing import TYPE_CHECKING, Final, TextIO

import numpy as np

from netsim.learning.base import Int64
from netsim.results import format
from netsim.studies.inspect.holdings import Holdings

if TYPE_CHECKING:
    from rich.text import Text

WIDTH: Final = 50
_SIGNS: Final = digits + ascii_letters
_MORE: Final = "+"
_COLOURS: Final = (
    "blue",
    "yellow",
    "green",
    "red",
    "magenta",
    "cyan",
    "bright_blue",
    "bright_yellow",
    "bright_green",
    "bright_red",
)
_MOST_CLIENTS: Final = 60
_BYTES: Final = 4


def show(held: Holdings, stream: TextIO) -> None:
    """Write the picture to ``stream``, in colours if it is a terminal."""
    if stream.isatty():
        from rich.console import Console

        console = Console(file=stream, highlight=False)
        for line in lines(held):
            console.print(_coloured(line), soft_wrap=True)
    else:
        stream.write("\n".join(lines(held)) + "\n")


def lines(held: Holdings) -> list[str]:
    """A line a client (of many, the first and the last), then what they add up to."""
    total_K = held.counts_KL.sum(1)
    width = len(str(int(total_K.max(initial=0))))
    bars = [
        f"{f'client {client}':<12} {total:>{width}} |{bar(held.counts_KL[client], total_K.max())}"
        for client, total in enumerate(total_K.tolist())
    ]
    if len(bars) > _MOST_CLIENTS:
        half = _MOST_CLIENTS // 2
        bars = [*bars[:half], f"… {len(bars) - 2 * half} more …", *bars[-half:]]
    return [*bars, "", *_totals(held)]


def bar(counts_L: Int64, most: int) -> str:
    """Signs of the labels held, as long as the samples are many; at least one if there are any."""
    total = int(counts_L.sum())
    if total == 0:
        return ""
    length = max(1, round(WIDTH * total / int(most)))
    ends = np.rint(np.cumsum(counts_L) * length / total).astype(int)
    return "".join(
        _sign(label) * size for label, size in enumerate(np.diff(ends, prepend=0).tolist())
    )


def _sign(label: int) -> str:
    return _SIGNS[label] if label < len(_SIGNS) else _MORE


def _totals(held: Holdings) -> list[str]:
    total_K, kinds_K = held.counts_KL.sum(1), (held.counts_KL > 0).sum(1)
    clients = len(total_K)
    found = [
        f"{int(total_K.sum()):,} samples at {clients} clients: {int(total_K.min())} to "
        f"{int(total_K.max())} each, median {np.median(total_K):g}",
        f"{held.labels} a client: {int(kinds_K.min())} to {int(kinds_K.max())} of "
        f"{int((held.counts_KL.sum(0) > 0).sum())}, mean {format.digits(float(kinds_K.mean()))}",
    ]
    if not total_K.all():
        found.append(f"{int((total_K == 0).sum())} clients hold nothing to train on")
    if held.held_out_K.any():
        found.append(f"{int(held.held_out_K.sum()):,} more samples are held out for validation")
    statistics = f" and {held.statistics:,} running statistics" if held.statistics else ""
    size = format.byte_size(_BYTES * (held.parameters + held.statistics))
    return [*found, f"model: {held.parameters:,} parameters{statistics}, {size} dense"]


def _coloured(line: str) -> "Text":
    from rich.text import Text

    head, mark, signs = line.partition("|")
    text = Text(head + mark)
    for sign in signs:
        at = _SIGNS.find(sign)
        text.append(sign, style=_COLOURS[at % len(_COLOURS)] if at >= 0 else "")
    return text
