"""Random sparsification, each coordinate on its own."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.hashed import Int64, uniforms
from netsim.wire.header import WireError
from netsim.wire.kept import Kept, KeptValues
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards
from netsim.wire.sparse import Sparse


@final
@dataclass(frozen=True)
class Bernoulli(Compressor):
    """Each coordinate is kept with probability ``keep`` and then scaled by 1/keep.

    ω = (1 − keep)/keep (ERIS, Remark 3.5).  The mask is drawn over the whole vector, so it is
    the same however the vector is cut.  The last ``spared`` coordinates of the whole vector are
    kept as they are.
    """

    kept_bits: ClassVar[int] = FLOAT32.bits
    keep: float
    spared: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.keep <= 1:
            raise ValueError(f"keep is {self.keep}; it must be above 0 and at most 1")

    def sparing(self, count: int) -> "Bernoulli":
        return replace(self, spared=count)

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        seed, codec = seeds.whole(), KeptValues()
        return [
            codec.payload(self._part(x, shards, a, seed), int(shards.sizes[a]))
            for a in range(shards.count)
        ]

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Sparse:
        kept: Kept = value
        indices_k = self._mask(shards, a, kept.seed)
        if len(indices_k) != len(kept.values_k):
            raise WireError(f"{len(kept.values_k)} values for a mask of {len(indices_k)}")
        return Sparse(kept.n, indices_k, kept.values_k)

    def omega(self, shards: Shards) -> float:
        return (1 - self.keep) / self.keep

    def payload_bits(self, shards: Shards) -> None:
        return None

    def _part(self, x: Deferred[Float32], shards: Shards, a: int, seed: int) -> Deferred[Kept]:
        def compressed() -> Kept:
            shard = shards.take(x.value(), a)
            values_k = shard[self._mask(shards, a, seed)]
            values_k[: len(values_k) - shards.last(a, self.spared)] *= np.float32(1 / self.keep)
            return Kept(len(shard), values_k, seed)

        return Deferred(compressed)

    def _mask(self, shards: Shards, a: int, seed: int) -> Int64:
        kept = uniforms(seed, 0, shards.indices(a)) < self.keep
        kept[len(kept) - shards.last(a, self.spared) :] = True
        return np.flatnonzero(kept)
