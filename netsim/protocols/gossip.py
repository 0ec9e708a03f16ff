"""Averaging with neighbours: what D-PSGD and Epidemic Learning share."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

from netsim.network.messages import Arrivals
from netsim.network.overlay import Graph, neighbours
from netsim.network.topology import Int64
from netsim.protocols.base import Context, Protocol, Role
from netsim.protocols.vector import Vector, descend
from netsim.theory.distribution import neighbours_s
from netsim.wire.deferred import Deferred


class Gossip(Protocol):
    """Each node trains, sends its model to its neighbours, and averages what arrived."""

    def __init__(self, config: Any, context: Context) -> None:
        super().__init__(config, context)
        self._held: list[Deferred[Vector]] = [self.task.initial for _ in self.clients]
        self._after: dict[int, dict[int, Deferred[Vector]]] = {}
        self._graphs: dict[int, list[Int64]] = {}

    @abstractmethod
    def graph(self, round: int) -> Graph:
        """Who talks to whom in a round."""

    @abstractmethod
    def mix(self, client: int, own: Vector, arrivals: Arrivals, round: int) -> Vector:
        """The client's next model from its own trained one and those that arrived."""

    def roles(self) -> Sequence[Role]:
        return [Role(client, "node", partial(self._train, client)) for client in self.clients]

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        after = self._after.pop(round, {})
        return [after.get(client, self._held[client]) for client in self.clients]

    def formula(self) -> tuple[str, float]:
        net = self.context.topology
        links = [len(others) for others in self._neighbours(0)]
        size = self.dense(self.task.initial).payload_bits
        count = len(self.clients)
        up, down = net.uplink_bps_H[:count], net.downlink_bps_H[:count]
        return "r·b / min rate", neighbours_s(size, links, links, up, down)

    async def _train(self, client: int, round: int) -> None:
        node, others = self.nodes[client], self._neighbours(round)[client]
        half = self._trained(client, await self.update(client, self._held[client], round))
        sending = node.broadcast(others, self.dense(half), "model", round)
        arrivals = await node.gather(others, "model", round)
        await sending
        mixed = self.task.defer(lambda: self.mix(client, half.value(), arrivals, round))
        self._held[client] = mixed
        self._after.setdefault(round, {})[client] = mixed
        await self.context.phases.done()

    def _trained(self, client: int, update: Deferred[Vector]) -> Deferred[Vector]:
        model = self._held[client]
        return self.task.defer(lambda: descend(model.value(), self.task.lr, update.value()))

    def _neighbours(self, round: int) -> list[Int64]:
        if round not in self._graphs:
            self._graphs = {old: kept for old, kept in self._graphs.items() if old >= round - 1}
            self._graphs[round] = neighbours(self.graph(round))
        return self._graphs[round]
