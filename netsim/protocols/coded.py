"""Updates through a compressor, summed by weight."""

from typing import Any, final

from netsim.kernel.streams import Streams
from netsim.learning.base import Task
from netsim.network.messages import Arrivals, Batch, Message
from netsim.protocols.exchange import Exchange, Weigh
from netsim.protocols.sums import Sums
from netsim.protocols.vector import Vector
from netsim.wire.compressors.base import Compressor, Restored
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards


@final
class CodedExchange(Exchange):
    """Clients send C(u_k), owners step along Σ w_k C(u_k), client by client.

    ``weigh`` gives the weights of those whose pieces arrived.  Where ``idle`` nothing is done
    without arrivals; otherwise the direction is zero then.
    """

    def __init__(
        self, task: Task, compressor: Compressor, weigh: Weigh, streams: Streams, idle: bool
    ) -> None:
        super().__init__(task)
        self._compressor = compressor
        self._weigh = weigh
        self._streams = streams
        self._idle = idle
        self._sums = Sums(task)

    @property
    def block(self) -> int:
        return self._compressor.block

    @property
    def kept_bits(self) -> int | None:
        return self._compressor.kept_bits

    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]] | Batch:
        return self._compressor.messages(update, shards, self._seeds(client, round))

    def direction(
        self, a: int, shards: Shards, arrivals: Arrivals, round: int
    ) -> Deferred[Vector] | None:
        if self._idle and not arrivals:
            return None
        weights = self._weigh(arrivals.senders, round)

        def restored(message: Message) -> Restored:
            seeds, value = self._seeds(message.sender, round), message.payload.value.value()
            return self._compressor.restore(value, shards, a, seeds)

        return self._sums.of(round, int(shards.sizes[a]), arrivals, weights, restored)

    def payload_bits(self, shards: Shards) -> int | None:
        return self._compressor.payload_bits(shards)

    def _seeds(self, client: int, round: int) -> Seeds:
        return Seeds(self._streams, round, client)
