"""A whole vector cut into shards, each a dense message, made when it is looked at."""

from functools import lru_cache
from typing import final

from netsim.network.messages import Batch
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.floats import Float32
from netsim.wire.payload import Payload
from netsim.wire.shards import Int64, Shards


@final
class DenseShards(Batch):
    """The shards of ``x`` Float32[n] as float32, one message each."""

    def __init__(self, x: Deferred[Float32], shards: Shards) -> None:
        self._x = x
        self._shards = shards
        self.payload_bits_M, self.wire_bits_M = _bits(shards)

    def __getitem__(self, index: int) -> Payload[Float32]:
        part = Deferred(lambda: self._shards.take(self._x.value(), index))
        return Dense().payload(part, int(self._shards.sizes[index]))


@lru_cache(maxsize=2)
def _bits(shards: Shards) -> tuple[Int64, Int64]:
    """Payload and wire bits of each shard; the same for all clients of a round."""
    dense = Dense()
    payload_bits_M = shards.sizes * dense.floats.bits
    return payload_bits_M, payload_bits_M + dense.wire_bits(0)
