"""Who holds what, as lines of text: a bar a client, a sign a label."""

import csv
from collections.abc import Sequence
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


def write_csv(held: Holdings, stream: TextIO) -> None:
    """Client, label and how many samples of it the client trains on, where it holds any."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["client", "label", "samples"])
    for client, label in np.argwhere(held.counts_KL).tolist():
        writer.writerow([client, held.names[label], held.counts_KL[client, label]])


def lines(held: Holdings) -> list[str]:
    """A line a client (of many, the first and the last), then what they add up to."""
    total_K = held.counts_KL.sum(1)
    width = len(str(int(total_K.max(initial=0))))
    most, sign = total_K.max(), signs(held.names)
    bars = [
        f"{f'client {client}':<12} {total:>{width}} |{bar(held.counts_KL[client], most, sign)}"
        for client, total in enumerate(total_K.tolist())
    ]
    if len(bars) > _MOST_CLIENTS:
        half = _MOST_CLIENTS // 2
        bars = [*bars[:half], f"… {len(bars) - 2 * half} more …", *bars[-half:]]
    return [*bars, "", *_key(held, int(most)), *_totals(held)]


def bar(counts_L: Int64, most: int, sign: Sequence[str]) -> str:
    """Signs of the labels held, as long as the samples are many; at least one if there are any.

    A label with more samples never has fewer signs: what is left after rounding down goes to the
    largest remainders.
    """
    total = int(counts_L.sum())
    if total == 0:
        return ""
    length = max(1, round(WIDTH * total / int(most)))
    sizes, remainders = np.divmod(counts_L * length, total)
    left = length - int(sizes.sum())
    sizes[np.lexsort((-counts_L, -remainders))[:left]] += 1
    return "".join(each * size for each, size in zip(sign, sizes.tolist(), strict=True))


def signs(names: Sequence[str]) -> list[str]:
    """A sign for each label: its name where all names are as short, else 0 to 9 and letters."""
    if all(len(name) == 1 for name in names):
        return [*names]
    return [*_SIGNS, *[_MORE] * len(names)][: len(names)]


def _key(held: Holdings, most: int) -> list[str]:
    """How many samples a sign is, and what signs stand for where they are not the names."""
    scale = f"a sign is about {format.digits(most / WIDTH)} samples"
    if held.names == tuple(map(str, range(len(held.names)))):
        return [scale]
    named = [*zip(signs(held.names), held.names, strict=True)]
    if all(sign == name for sign, name in named):
        return [scale]
    return [scale, ", ".join(f"{sign}: {name}" for sign, name in named if sign != _MORE)]


def _totals(held: Holdings) -> list[str]:
    total_K, kinds_K = held.counts_KL.sum(1), (held.counts_KL > 0).sum(1)
    clients = len(total_K)
    found = [
        f"{int(total_K.sum()):,} samples at {clients} clients: {int(total_K.min())} to "
        f"{int(total_K.max())} each, median {np.median(total_K):g}",
        f"{held.labels} a client: {int(kinds_K.min())} to {int(kinds_K.max())} of "
        f"{int((held.counts_KL.sum(0) > 0).sum())}, mean {format.digits(float(kinds_K.mean()))}",
    ]
    if empty := int((total_K == 0).sum()):
        found.append(f"{empty} client{' holds' if empty == 1 else 's hold'} nothing to train on")
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
