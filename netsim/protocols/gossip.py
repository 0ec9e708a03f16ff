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
from netsim.protocols.vector import Vector, descend
from netsim.theory.distribution import neighbours_s
from netsim.wire.deferred import Deferred


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
    """Each node trains, sends its model to its neighbours, and averages what arrived."""

    def __init__(self, config: Any, context: Context) -> None:
        super().__init__(config, context)
        self._held: list[Deferred[Vector]] = [self.task.initial for _ in self.clients]
        self._after: dict[int, dict[int, Deferred[Vector]]] = {}
        self._links: dict[int, Links] = {}

    @abstractmethod
    def links(self, round: int) -> Links:
        """Who sends to whom in a round."""

    @abstractmethod
    def mix(self, client: int, own: Vector, arrivals: Arrivals, round: int) -> Vector:
        """The client's next model from its own trained one and those that arrived."""

    def roles(self) -> Sequence[Role]:
        return [Role(client, "node", partial(self._train, client)) for client in self.clients]

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        after = self._after.pop(round, {})
        return [after.get(client, self._held[client]) for client in self.clients]

    def formula(self) -> tuple[str, float]:
        net, links = self.context.topology, self.links_of(0)
        sent, received = (
            [len(others) for others in way] for way in (links.receivers, links.senders)
        )
        size = self.dense(self.task.initial).payload_bits
        count = len(self.clients)
        up, down = net.uplink_bps_H[:count], net.downlink_bps_H[:count]
        return "r·b / min rate", neighbours_s(size, sent, received, up, down)

    def links_of(self, round: int) -> Links:
        """``links`` of a round, made once."""
        if round not in self._links:
            self._links = {old: kept for old, kept in self._links.items() if old >= round - 1}
            self._links[round] = self.links(round)
        return self._links[round]

    async def _train(self, client: int, round: int) -> None:
        node, links = self.nodes[client], self.links_of(round)
        half = self._trained(client, await self.update(client, self._held[client], round))
        sending = node.broadcast(links.receivers[client], self.dense(half), "model", round)
        arrivals = await node.gather(links.senders[client], "model", round)
        await sending
        mixed = self.task.defer(lambda: self.mix(client, half.value(), arrivals, round))
        self._held[client] = mixed
        self._after.setdefault(round, {})[client] = mixed
        await self.context.phases.done()

    def _trained(self, client: int, update: Deferred[Vector]) -> Deferred[Vector]:
        model = self._held[client]
        return self.task.defer(lambda: descend(model.value(), self.task.lr, update.value()))
