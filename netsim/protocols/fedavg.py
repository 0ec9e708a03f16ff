"""FedAvg: a central server averages the clients' updates."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Literal

from netsim.network.failures import TransferFailed
from netsim.network.messages import Arrivals
from netsim.network.topology import Guest
from netsim.protocols.base import Context, Paper, Protocol, ProtocolConfig, Role
from netsim.protocols.vector import Vector, descend, weighted_sum
from netsim.theory.distribution import eq52_fedavg_s
from netsim.wire.deferred import Deferred


class FedAvgConfig(ProtocolConfig):
    """``weights``: by the clients' samples, or uniform."""

    kind: Literal["fedavg"] = "fedavg"
    weights: Literal["samples", "uniform"] = "samples"

    def guests(self, clients: int) -> tuple[Guest, ...]:
        return (Guest("server"),)


class FedAvg(Protocol):
    """McMahan et al. 2017, Algorithm 1, with all clients in every round.

    A round: each client trains on the model it holds and sends its update (b bits); the server
    averages what arrived, steps, and broadcasts the new model (b bits a client).  A client
    whose update fails is left out of the average; one that misses the broadcast trains on the
    model it has; when no update arrives the model stays.
    """

    title: ClassVar = "Federated averaging at a central server"
    paper: ClassVar = Paper(
        "McMahan et al., AISTATS 2017",
        """@inproceedings{mcmahan2017communication,
  title = {Communication-Efficient Learning of Deep Networks from Decentralized Data},
  author = {McMahan, Brendan and Moore, Eider and Ramage, Daniel and Hampson, Seth
            and {Ag{\\"u}era y Arcas}, Blaise},
  booktitle = {AISTATS},
  year = {2017}
}""",
    )
    messages: ClassVar = {"update": ("client", "server"), "model": ("server", "client")}
    Config = FedAvgConfig

    def __init__(self, config: FedAvgConfig, context: Context) -> None:
        super().__init__(config, context)
        self._weights = config.weights
        self._server = self.nodes[len(self.clients)]
        self._model = self.task.initial
        self._held = [self._model for _ in self.clients]
        self._after: dict[int, Deferred[Vector]] = {}

    def roles(self) -> Sequence[Role]:
        serve = Role(self._server.index, "server", self._serve)
        return [
            serve,
            *(Role(client, "client", partial(self._train, client)) for client in self.clients),
        ]

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        return [self._after.pop(round)]

    def formula(self) -> tuple[str, float]:
        net, host = self.context.topology, self.context.topology.host_N[self._server.index]
        up, down = net.uplink_bps_H, net.downlink_bps_H
        clients = slice(0, len(self.clients))
        size = self.dense(self._model).payload_bits
        value = eq52_fedavg_s(size, size, up[clients], down[clients], up[host], down[host])
        return "eq52", value

    async def _train(self, client: int, round: int) -> None:
        node = self.nodes[client]
        if client in self.trainers:
            update = await self.update(client, self._held[client], round)
            await node.broadcast([self._server.index], self.dense(update), "update", round)
        await self.context.phases.done()
        try:
            message = await node.receive(self._server.index, "model", round)
        except TransferFailed:
            return
        self._held[client] = message.payload.value

    async def _serve(self, round: int) -> None:
        arrivals = await self._server.gather(self.trainers, "update", round)
        await self.context.phases.done()
        if arrivals:
            model = self._model
            self._model = self.task.defer(lambda: self._step(model, arrivals))
        self._after[round] = self._model
        await self._server.broadcast(self.clients, self.dense(self._model), "model", round)

    def _step(self, model: Deferred[Vector], arrivals: Arrivals) -> Vector:
        weights = self.weights(arrivals.senders, self._weights)
        terms: Iterator[tuple[float, Vector]] = (
            (weights[message.sender], message.payload.value.value()) for message in arrivals
        )
        total = weighted_sum(self.task.n, terms)
        return descend(model.value(), self.task.lr, total)
