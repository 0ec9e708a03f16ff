"""Uniform quantisation."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.rounding import randomly_rounded
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.floats import Float32
from netsim.wire.levels import FixedWidthLevels, Levels
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards


@final
@dataclass(frozen=True)
class Uniform(Compressor):
    """Random rounding to ``levels`` L ≥ 2 equidistant values from −max|x_i| to max|x_i|.

    The largest magnitude is that of the whole vector.  A step is 2·max/(L − 1), a coordinate's
    variance at most a quarter of its square, so ω = n/(L − 1)².
    """

    levels: int

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        seed = seeds.whole()
        whole = Deferred(lambda: self.quantise(x.value(), seed))

        def part(a: int) -> Deferred[Levels]:
            return Deferred(
                lambda: Levels(shards.take(whole.value().levels_n, a), whole.value().scale)
            )

        return [self._codec.payload(part(a), int(shards.sizes[a])) for a in range(shards.count)]

    def quantise(self, x_N: Float32, seed: int) -> Levels:
        """C(x) as numbers from 0 to L − 1."""
        largest = float(np.abs(x_N).max(initial=0.0))
        if largest == 0:
            return Levels(np.zeros(len(x_N), np.int64), 0.0)
        places_N = (x_N.astype(np.float64) / largest + 1) * ((self.levels - 1) / 2)
        return Levels(randomly_rounded(np.minimum(places_N, self.levels - 1), seed), largest)

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Float32:
        levels: Levels = value
        places_N = levels.levels_n * (2 / (self.levels - 1)) - 1
        return (places_N * levels.scale).astype(np.float32)

    def omega(self, shards: Shards) -> float:
        return shards.n / (self.levels - 1) ** 2

    def payload_bits(self, shards: Shards) -> int:
        return self._codec.payload_bits(shards.n)

    @property
    def _codec(self) -> FixedWidthLevels:
        return FixedWidthLevels(0, self.levels - 1)
