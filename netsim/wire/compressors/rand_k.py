"""Random sparsification with a fixed number of kept coordinates in each shard."""

from dataclasses import dataclass
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

    Where ⌈keep · |shard|⌉ rounds differently in different shards, the ω of the mean.
    """

    kept_bits: ClassVar[int] = FLOAT32.bits
    rand_k: RandK

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        codec = SharedSeedSparse(self.rand_k)

        def part(a: int) -> Deferred[Sparse]:
            return Deferred(lambda: codec.compress(shards.take(x.value(), a), seeds.shard(a)))

        return [codec.payload(part(a), int(shards.sizes[a])) for a in range(shards.count)]

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Sparse:
        sparse: Sparse = value
        return sparse

    def omega(self, shards: Shards) -> float:
        return shards.n / self._kept(shards) - 1 if shards.n else 0.0

    def payload_bits(self, shards: Shards) -> int:
        return sum(SharedSeedSparse(self.rand_k).payload_bits(int(size)) for size in shards.sizes)

    def _kept(self, shards: Shards) -> int:
        return sum(self.rand_k.kept(int(size)) for size in shards.sizes)
