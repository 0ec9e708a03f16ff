"""Random sparsification with a fixed number of kept coordinates in each shard."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards
from netsim.wire.shared_seed import SharedSeedSparse
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK


@final
@dataclass(frozen=True)
class RandKCompressor(Compressor):
    """Rand-k shard by shard; ω = n / Σ k − 1 for shards of equal size (ERIS, Remark 3.5).

    Where ⌈keep · |shard|⌉ rounds differently in different shards, the ω of the mean.  The last
    ``rand_k.spared`` coordinates of the whole vector are spared, in whichever shard they lie.
    """

    kept_bits: ClassVar[int] = FLOAT32.bits
    rand_k: RandK

    def sparing(self, count: int) -> "RandKCompressor":
        return RandKCompressor(replace(self.rand_k, spared=count))

    def codec(self, shards: Shards, a: int) -> SharedSeedSparse:
        """What codes shard ``a``."""
        if not self.rand_k.spared:
            return SharedSeedSparse(self.rand_k)
        return SharedSeedSparse(replace(self.rand_k, spared=shards.last(a, self.rand_k.spared)))

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        def payload(a: int) -> Payload[Sparse]:
            codec = self.codec(shards, a)
            part = Deferred(lambda: codec.compress(shards.take(x.value(), a), seeds.shard(a)))
            return codec.payload(part, int(shards.sizes[a]))

        return [payload(a) for a in range(shards.count)]

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Sparse:
        sparse: Sparse = value
        return sparse

    def omega(self, shards: Shards) -> float:
        spared = self.rand_k.spared
        drawn, k = shards.n - spared, self._kept(shards) - spared
        return drawn / k - 1 if drawn else 0.0

    def payload_bits(self, shards: Shards) -> int:
        return self.kept_bits * self._kept(shards)

    def _kept(self, shards: Shards) -> int:
        return sum(
            self.codec(shards, a).rand_k.kept(int(size)) for a, size in enumerate(shards.sizes)
        )
