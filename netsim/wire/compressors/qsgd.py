"""Quantised SGD."""

import math
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.rounding import randomly_rounded
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.compressors.upper import upper_float32
from netsim.wire.deferred import Deferred
from netsim.wire.elias import EliasLevels
from netsim.wire.floats import Float32
from netsim.wire.levels import FixedWidthLevels, Levels
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards


@final
@dataclass(frozen=True)
class Qsgd(Compressor):
    """Each |x_i| / ‖x‖ is rounded at random to one of ``levels`` s steps.

    The norm is that of the whole vector.  ω = min(n/s², √n/s) (Alistarh et al. 2017,
    Lemma 3.1).  ``code``: all levels in fixed width, or those that are not 0 in Elias's.
    """

    levels: int
    code: Literal["fixed", "elias"] = "elias"

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        seed = seeds.whole()
        whole = Deferred(lambda: self.quantise(x.value(), seed))

        def part(a: int) -> Deferred[Levels]:
            return Deferred(
                lambda: Levels(shards.take(whole.value().levels_n, a), whole.value().scale)
            )

        return [self._codec.payload(part(a), int(shards.sizes[a])) for a in range(shards.count)]

    def quantise(self, x_N: Float32, seed: int) -> Levels:
        """C(x) as signed levels."""
        norm = upper_float32(math.sqrt(float(np.square(x_N, dtype=np.float64).sum())))
        if norm == 0:
            return Levels(np.zeros(len(x_N), np.int64), 0.0)
        shares_N = np.minimum(np.abs(x_N.astype(np.float64)) / norm, 1.0)
        levels_N = randomly_rounded(shares_N * self.levels, seed)
        return Levels(np.where(np.signbit(x_N), -levels_N, levels_N), norm)

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Float32:
        levels: Levels = value
        return (levels.levels_n * (levels.scale / self.levels)).astype(np.float32)

    def omega(self, shards: Shards) -> float:
        return min(shards.n / self.levels**2, math.sqrt(shards.n) / self.levels)

    def payload_bits(self, shards: Shards) -> int | None:
        return self._fixed.payload_bits(shards.n) if self.code == "fixed" else None

    @property
    def _fixed(self) -> FixedWidthLevels:
        return FixedWidthLevels(-self.levels, self.levels)

    @property
    def _codec(self) -> EliasLevels | FixedWidthLevels:
        return EliasLevels() if self.code == "elias" else self._fixed
