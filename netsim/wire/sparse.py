"""Vectors of which only some coordinates are sent."""

from dataclasses import dataclass

import numpy as np

from netsim.wire.floats import Float32
from netsim.wire.sparsify import Int64


@dataclass(frozen=True, slots=True, eq=False)
class Sparse:
    """A vector of ``n`` coordinates that is zero outside ``indices_k``.

    ``indices_k`` is Int64[k], strictly ascending; ``values_k`` is Float32[k].  ``seed`` is the
    shared seed the indices follow from, where they do.
    """

    n: int
    indices_k: Int64
    values_k: Float32
    seed: int | None = None

    def dense(self) -> Float32:
        """The whole vector, Float32[n]."""
        x_N = np.zeros(self.n, np.float32)
        x_N[self.indices_k] = self.values_k
        return x_N
