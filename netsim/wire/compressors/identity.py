"""No compression."""

from dataclasses import dataclass
from typing import Any, final

from netsim.network.messages import Batch
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.dense_shards import DenseShards
from netsim.wire.floats import Float32
from netsim.wire.shards import Shards


@final
@dataclass(frozen=True, slots=True)
class Identity(Compressor):
    """Every coordinate as float32; ω = 0."""

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> Batch:
        return DenseShards(x, shards)

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Float32:
        vector: Float32 = value
        return vector

    def omega(self, shards: Shards) -> float:
        return 0.0

    def payload_bits(self, shards: Shards) -> int:
        return Dense().payload_bits(shards.n)
