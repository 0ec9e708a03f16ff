"""A whole vector cut into shards, each a dense message, made when it is looked at."""

from typing import final

from netsim.network.messages import Batch
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.floats import Float32
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards

_DENSE = Dense()


@final
class DenseShards(Batch):
    """The shards of ``x`` Float32[n] as float32, one message each."""

    __slots__ = ("_shards", "_x", "payload_bits_M", "wire_bits_M")

    def __init__(self, x: Deferred[Float32], shards: Shards) -> None:
        self._x = x
        self._shards = shards
        self.payload_bits_M, self.wire_bits_M = shards.float32_bits

    def __getitem__(self, index: int) -> Payload[Float32]:
        part = self._x
        if self._shards.count > 1:
            part = Deferred(lambda: self._shards.take(self._x.value(), index))
        payload_bits, wire_bits = self.payload_bits_M.item(index), self.wire_bits_M.item(index)
        return Payload(part, payload_bits, wire_bits, _DENSE)
