"""Where each parameter of a model lies in its flat vector."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Tensors one after the other in a vector of ``size``, by name, shape and first index.

    The first ``trained`` coordinates are parameters; running statistics (of batch
    normalisation) follow.
    """

    names: tuple[str, ...]
    shapes: tuple[Shape, ...]
    offsets: tuple[int, ...]
    size: int
    trained: int

    @classmethod
    def of(
        cls,
        parameters: Iterable[tuple[str, Shape]],
        statistics: Sequence[tuple[str, Shape]] = (),
    ) -> "Layout":
        """The layout of parameters in the order given, then of ``statistics``."""
        first = list(parameters)
        names, shapes = zip(*first, *statistics, strict=True)
        *offsets, size = accumulate(map(prod, shapes), initial=0)
        trained = sum(prod(shape) for _, shape in first)
        return cls(names, shapes, tuple(offsets), size, trained)
