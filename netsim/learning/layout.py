"""Where each parameter of a model lies in its flat vector."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from math import prod

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Parameters one after the other in a vector of ``size``, by name, shape and first index."""

    names: tuple[str, ...]
    shapes: tuple[Shape, ...]
    offsets: tuple[int, ...]
    size: int

    @classmethod
    def of(cls, parameters: Iterable[tuple[str, Shape]]) -> "Layout":
        """The layout of parameters in the order given."""
        names, shapes = zip(*parameters, strict=True)
        *offsets, size = accumulate(map(prod, shapes), initial=0)
        return cls(names, shapes, tuple(offsets), size)
