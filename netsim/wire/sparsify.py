"""Random sparsification: which coordinates are kept, and how far the kept ones are scaled."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.wire.floats import Float32

Int64 = npt.NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class RandK:
    """Rand-k with k = ⌈``keep`` · size⌉ of the coordinates of each shard, 0 < ``keep`` ≤ 1.

    A mask is uniform over the sets of k coordinates.  Kept values are scaled by size/k, so
    that C is unbiased: E C(x) = x and E‖C(x) − x‖² = ω‖x‖² with ω = size/k − 1.  The last
    ``spared`` coordinates are none of the size: they are kept beside the k, as they are.
    """

    keep: float
    spared: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.keep <= 1:
            raise ValueError(f"keep is {self.keep}; it must be above 0 and at most 1")

    def kept(self, size: int) -> int:
        """How many of a shard's ``size`` coordinates are sent: k and the spared ones.

        ``keep`` counts as the decimal it prints as, so 0.07 of 100 is 7, though the float
        product lies above 7.
        """
        share = _exact(self.keep)
        return self.spared - (-share.numerator * (size - self.spared) // share.denominator)

    def omega(self, size: int) -> float:
        """The variance factor ω = size/k − 1; 0 for an empty shard."""
        drawn = size - self.spared
        return drawn / (self.kept(size) - self.spared) - 1 if drawn else 0.0

    def mask(self, size: int, rng: np.random.Generator) -> Int64:
        """The kept coordinates, Int64[k + spared], ascending."""
        drawn, k = size - self.spared, self.kept(size) - self.spared
        chosen_k = rng.choice(drawn, k, replace=False, shuffle=False)
        return np.append(np.sort(chosen_k), np.arange(drawn, size)).astype(np.int64, copy=False)

    def seeded_mask(self, size: int, seed: int) -> Int64:
        """The mask that both ends derive from a seed they share."""
        return self.mask(size, Streams(seed).rng("rand-k mask"))

    def compress(self, x_N: Float32, indices_k: Int64) -> Float32:
        """The values to send: those at ``indices_k``, scaled by size/k but for the spared."""
        assert len(indices_k) == self.kept(len(x_N))
        values_k, k = x_N[indices_k], len(indices_k) - self.spared
        if k:
            values_k[:k] *= np.float32((len(x_N) - self.spared) / k)
        return values_k


@lru_cache(maxsize=64)
def _exact(keep: float) -> Fraction:
    return Fraction(repr(float(keep)))


def gamma(omega: float) -> float:
    """The step √((1 + 2ω) / (2(1 + ω)³)) of the reference vectors (ERIS, Theorem 3.6)."""
    return math.sqrt((1 + 2 * omega) / (2 * (1 + omega))) / (1 + omega)
