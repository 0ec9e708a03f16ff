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
    that C is unbiased: E C(x) = x and E‖C(x) − x‖² = ω‖x‖² with ω = size/k − 1.
    """

    keep: float

    def __post_init__(self) -> None:
        if not 0 < self.keep <= 1:
            raise ValueError(f"keep is {self.keep}; it must be above 0 and at most 1")

    def kept(self, size: int) -> int:
        """k for a shard of ``size`` coordinates; ``keep`` counts as the decimal it prints as.

        So 0.07 of 100 is 7, though the float product lies above 7.
        """
        share = _exact(self.keep)
        return -(-share.numerator * size // share.denominator)

    def omega(self, size: int) -> float:
        """The variance factor ω = size/k − 1; 0 for an empty shard."""
        return size / self.kept(size) - 1 if size else 0.0

    def mask(self, size: int, rng: np.random.Generator) -> Int64:
        """The kept coordinates, Int64[k], ascending."""
        chosen_k = rng.choice(size, self.kept(size), replace=False, shuffle=False)
        return np.sort(chosen_k).astype(np.int64, copy=False)

    def seeded_mask(self, size: int, seed: int) -> Int64:
        """The mask that both ends derive from a seed they share."""
        return self.mask(size, Streams(seed).rng("rand-k mask"))

    def compress(self, x_N: Float32, indices_k: Int64) -> Float32:
        """The values to send: those at ``indices_k``, scaled by size/k."""
        assert len(indices_k) == self.kept(len(x_N))
        scale = len(x_N) / len(indices_k) if len(x_N) else 1.0
        return x_N[indices_k] * np.float32(scale)


@lru_cache(maxsize=64)
def _exact(keep: float) -> Fraction:
    return Fraction(repr(float(keep)))


def gamma(omega: float) -> float:
    """The step √((1 + 2ω) / (2(1 + ω)³)) of the reference vectors (ERIS, Theorem 3.6)."""
    return math.sqrt((1 + 2 * omega) / (2 * (1 + omega) ** 3))
