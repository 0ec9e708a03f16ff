"""Averaging with neighbours: what D-PSGD, Epidemic Learning and those after them share."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from netsim.network.messages import Arrivals
from netsim.network.overlay import Graph, neighbours
from netsim.network.topology import Int64
from netsim.protocols.base import Context, Protocol, Role
from netsim.protocols.steps.base import Pipeline, Step
from netsim.protocols.vector import Vector, descend
from netsim.theory.distribution import neighbours_s
from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32
from netsim.wire.payload import Payload


@dataclass(frozen=True)
class Links:
    """Who sends to whom: for each node its ``receivers`` and its ``senders``, ascending."""

    receivers: list[Int64]
    senders: list[Int64]

    @classmethod
    def both_ways(cls, graph: Graph) -> "Links":
        """Neighbours send to each other."""
        others = neighbours(graph)
        return cls(others, others)


class Gossip(Protocol):
    """Each node trains, sends its model to its neighbours, and averages what arrived.

    A round has ``exchanges``, one by default, in each of which models are sent and averaged.
    Exchanges are numbered on from round to round.
    """

    exchanges: int = 1

    def __init__(self, config: Any, context: Context) -> None:
        super().__init__(config, context)
        self.rounds_played = 0
        self._pipeline = Pipeline(self.steps())
        self._held: list[Deferred[Vector]] = [self.task.initial for _ in self.clients]
        self._after: dict[int, dict[int, Deferred[Vector]]] = {}
        self._links: dict[int, Links] = {}

    @abstractmethod
    def links(self, exchange: int) -> Links:
        """Who sends to whom in an exchange."""

    @abstractmethod
    def mix(self, client: int, own: Vector, arrivals: Arrivals, exchange: int) -> Vector:
        """The client's next model from its own one and those that arrived."""

    def steps(self) -> Sequence[Step]:
        """What nodes do to their update before they take it."""
        return ()

    def trained(
        self, client: int, model: Deferred[Vector], update: Deferred[Vector], round: int
    ) -> Deferred[Vector]:
        """The client's model after its update."""
        lr = self.task.rate(round)
        return self.task.defer(lambda: descend(model.value(), lr, update.value()))

    def message(
        self, client: int, own: Deferred[Vector], update: Deferred[Vector], exchange: int
    ) -> Payload[Any]:
        """What the client sends of its ``own`` model, which ``update`` led to."""
        return self.dense(own)

    def coordinates(self, payload_bits_M: Int64, receiver_M: Int64) -> Int64 | None:
        return payload_bits_M // FLOAT32.bits

    def message_bits(self) -> int:
        """Payload of a message, bits."""
        return self.dense(self.task.initial).payload_bits

    def roles(self) -> Sequence[Role]:
        return [Role(client, "node", partial(self._train, client)) for client in self.clients]

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        self.rounds_played += 1
        after = self._after.pop(round, {})
        return [after.get(client, self._held[client]) for client in self.clients]

    def formula(self) -> tuple[str, float]:
        net, links, size = self.context.topology, self.links_of(0), self.message_bits()
        sent, received = (
            [len(others) for others in way] for way in (links.receivers, links.senders)
        )
        count = len(self.clients)
        up, down = net.uplink_bps_H[:count], net.downlink_bps_H[:count]
        name = "r·b / min rate" if self.exchanges == 1 else "m·r·b / min rate"
        return name, self.exchanges * neighbours_s(size, sent, received, up, down)

    def links_of(self, exchange: int) -> Links:
        """``links`` of an exchange, made once."""
        if exchange not in self._links:
            self._links = {old: kept for old, kept in self._links.items() if old >= exchange - 1}
            self._links[exchange] = self.links(exchange)
        return self._links[exchange]

    async def _train(self, client: int, round: int) -> None:
        model = self._held[client]
        update = await self.update(client, model, round)
        if self.sampling.trains(client, round):
            update = self._pipeline.run(update, client, round)
        own = self.trained(client, model, update, round)
        first = round * self.exchanges
        for exchange in range(first, first + self.exchanges):
            if exchange > first and self.task.values:
                # Needed now lest the exchanges of a round pile up, each a level deeper.
                own.settle()
            own = await self._exchange(client, own, update, round, exchange)
            self._held[client] = own
            self._after.setdefault(round, {})[client] = own
            await self.context.phases.done()

    async def _exchange(
        self,
        client: int,
        own: Deferred[Vector],
        update: Deferred[Vector],
        round: int,
        exchange: int,
    ) -> Deferred[Vector]:
        node, links = self.nodes[client], self.links_of(exchange)
        message = self.message(client, own, update, exchange)
        sending = node.broadcast(links.receivers[client], message, "model", round)
        arrivals = await node.gather(links.senders[client], "model", round)
        await sending
        return self.task.defer(lambda: self.mix(client, own.value(), arrivals, exchange))
