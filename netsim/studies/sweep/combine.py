"""All combinations of values that a sweep asks for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from netsim.kernel.streams import Streams
from netsim.scenario.errors import Loc
from netsim.studies.sweep.config import Sweep
from netsim.studies.sweep.paths import Path, paths_in


@dataclass(frozen=True)
class Setting:
    """A field and its value, and where in the file key and value stand."""

    path: Path
    value: Any
    key: Loc
    where: Loc


Choice = tuple[Setting, ...]
"""What is set together."""


def count(sweep: Sweep) -> int:
    """How many combinations there are."""
    zipped = min(map(len, sweep.zip_.values()), default=1)
    drawn = prod(draws.count for _, draws in sweep.draws())
    return prod(map(len, sweep.grid.values())) * zipped * (len(sweep.list_) or 1) * drawn


def combinations(sweep: Sweep, streams: Streams) -> Iterator[Choice]:
    """Every choice of each block with every one of the others, the last changing fastest."""
    for choices in product(*_blocks(sweep, streams)):
        yield _joined(choices)


def _blocks(sweep: Sweep, streams: Streams) -> Iterator[Sequence[Choice]]:
    for key, values in sweep.grid.items():
        yield [_choice(key, value, ("grid", key), at) for at, value in enumerate(values)]
    if sweep.zip_:
        length = min(map(len, sweep.zip_.values()))
        yield [
            _joined(_choice(key, each[at], ("zip", key), at) for key, each in sweep.zip_.items())
            for at in range(length)
        ]
    if sweep.list_:
        yield [
            _joined(_choice(key, value, ("list", at, key)) for key, value in entry.items())
            for at, entry in enumerate(sweep.list_)
        ]
    for kind, draws in sweep.draws():
        yield [
            _joined(_choice(key, value, (kind, "over", key)) for key, value in point.items())
            for point in draws.points(kind, streams)
        ]


def _choice(key: str, value: Any, loc: Loc, *at: int) -> Choice:
    place = ("sweep", *loc)
    return tuple(Setting(path, value, place, (*place, *at)) for path in paths_in(key))


def _joined(choices: Iterable[Choice]) -> Choice:
    return tuple(setting for choice in choices for setting in choice)
