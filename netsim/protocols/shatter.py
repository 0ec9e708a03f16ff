"""Shatter: model chunks exchanged between virtual nodes."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.network.overlay import degree_problems, neighbours, random_regular, usual_degree
from netsim.network.topology import Guest, Int64
from netsim.protocols.base import Context, Protocol, ProtocolConfig, Role
from netsim.protocols.chunking import Chunking, Strategy, by_copies, by_degree
from netsim.protocols.shatter_paper import shatter_paper
from netsim.protocols.vector import Vector, descend
from netsim.theory.distribution import eq55_shatter_s
from netsim.wire.chunk import Chunk, DenseChunk
from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32
from netsim.wire.payload import Payload


class ShatterConfig(ProtocolConfig):
    """``virtual_nodes`` k a node, ``degree`` r of the graph between all of them (4 by default,
    fewer where there are fewer others), and ``links``: virtual nodes share their node's access
    link, or have links of their own, like it.

    ``chunking``: how the model is cut.  ``averaging``: over the ``copies`` of a parameter that
    are there, or ``1/r`` of the sum of those that arrived.
    """

    kind: Literal["shatter"] = "shatter"
    virtual_nodes: int = Field(default=4, ge=1, le=10_000)
    degree: int | None = Field(default=None, ge=1)
    links: Literal["shared", "own"] = "shared"
    chunking: Strategy = "static"
    averaging: Literal["copies", "1/r"] = "copies"

    def describe(self, clients: int) -> str:
        degree = usual_degree(self.degree, clients * self.virtual_nodes)
        chunking = "" if self.chunking == "static" else f", {self.chunking}"
        averaging = "" if self.averaging == "copies" else f", {self.averaging}"
        return f"shatter (k={self.virtual_nodes}, r={degree}{chunking}{averaging})"

    def problems(self, clients: int) -> Iterator[Problem]:
        total = clients * self.virtual_nodes
        if self.degree is not None:
            yield from degree_problems(self.degree, total, "virtual nodes")
        if self.averaging == "1/r" and total == 1:
            yield ("averaging",), "the only virtual node has no neighbours; write copies"

    def guests(self, clients: int) -> tuple[Guest, ...]:
        own = self.links == "own"
        return tuple(
            Guest(f"virtual node {s} of node {client}", None if own else client, client)
            for client in range(clients)
            for s in range(self.virtual_nodes)
        )


@final
class Shatter(Protocol):
    """Biswas et al., PETS 2025, Algorithm 1 and Section 4.2.

    The model is cut once, by a shared seed, into k random chunks; or by another strategy of
    Appendix C.  A round: each node trains and hands chunk s to its virtual node s (kind
    ``chunk``); a random r-regular graph is drawn over all virtual nodes, which send their chunk
    to their neighbours (``exchange``) and forward what they get to their node (``forward``); the
    node averages each parameter over the copies that arrived and its own, all with the same
    weight.  A chunk that fails is one copy less.

    The analysis (Section 5.1) sums what arrived and divides it by r instead, without the node's
    own: ``averaging: 1/r``.  A parameter then has weight 1 in the mean only, and 0 where no copy
    arrived; a chunk that fails counts as zero.  It is there for Lemma 5, not to train with.

    On a shared access link messages between a node and its virtual nodes, and between
    virtual nodes of one node, cost nothing; with links of their own a node and its virtual
    nodes send d + 2dr parameters in k + 2kr messages.
    """

    title: ClassVar = "Shatter: random model chunks between virtual nodes"
    paper: ClassVar = shatter_paper("Algorithm 1")
    messages: ClassVar = {
        "chunk": ("node", "virtual node"),
        "exchange": ("virtual node", "virtual node"),
        "forward": ("virtual node", "node"),
    }
    Config = ShatterConfig

    def __init__(self, config: ShatterConfig, context: Context) -> None:
        super().__init__(config, context)
        self._config = config
        self._k = config.virtual_nodes
        self._virtual = len(self.clients) * self._k
        self._degree = usual_degree(config.degree, self._virtual)
        self._chunks = Chunking(config.chunking, self.task.n, self._k, context.streams)
        self._held: list[Deferred[Vector]] = [self.task.initial for _ in self.clients]
        self._after: dict[int, dict[int, Deferred[Vector]]] = {}
        self._graphs: dict[int, list[Int64]] = {}
        nothing = Chunk(0, np.zeros(0, np.float32))
        self._lost = DenseChunk().payload(Deferred.of(nothing), 0)

    def roles(self) -> Sequence[Role]:
        first = len(self.clients)
        return [
            *(Role(client, "node", partial(self._train, client)) for client in self.clients),
            *(
                Role(first + v, "virtual node", partial(self._relay, v))
                for v in range(self._virtual)
            ),
        ]

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        after = self._after.pop(round, {})
        return [after.get(client, self._held[client]) for client in self.clients]

    def formula(self) -> tuple[str, float]:
        net, count = self.context.topology, len(self.clients)
        size = self.dense(self.task.initial).payload_bits
        up, down = net.uplink_bps_H[:count], net.downlink_bps_H[:count]
        return "eq55", eq55_shatter_s(size, self._degree, up, down)

    def coordinates(self, payload_bits_M: Int64, receiver_M: Int64) -> Int64 | None:
        if self._config.chunking == "with_replacement":
            return None
        return payload_bits_M // FLOAT32.bits

    async def _train(self, client: int, round: int) -> None:
        node, model = self.nodes[client], self._held[client]
        update = await self.update(client, model, round)
        lr = self.task.rate(round)
        half = self.task.defer(lambda: descend(model.value(), lr, update.value()))
        mine = len(self.clients) + client * self._k + np.arange(self._k)
        pieces = [self._piece(half, s, round) for s in range(self._k)]
        await node.scatter(mine, pieces, "chunk", round)
        await self.context.phases.done()
        await self.context.phases.done()
        arrivals = await node.gather(np.repeat(mine, self._degree), "forward", round)
        mixed = self.task.defer(lambda: self._average(half, arrivals, round))
        self._held[client] = mixed
        self._after.setdefault(round, {})[client] = mixed
        await self.context.phases.done()

    async def _relay(self, virtual: int, round: int) -> None:
        """A virtual node: passes its chunk to its neighbours and theirs to its node."""
        node, parent = self.nodes[len(self.clients) + virtual], virtual // self._k
        others = len(self.clients) + self._neighbours(round)[virtual]
        chunks = await node.gather([parent], "chunk", round)
        await self.context.phases.done()
        chunk = chunks[0].payload if chunks else self._lost
        sending = node.broadcast(others, chunk, "exchange", round)
        arrivals = await node.gather(others, "exchange", round)
        await sending
        await self.context.phases.done()
        copies = [each.payload for each in arrivals] + [self._lost] * len(arrivals.failed)
        await node.scatter([parent] * len(copies), copies, "forward", round)
        await self.context.phases.done()

    def _piece(self, model: Deferred[Vector], s: int, round: int) -> Payload[Chunk]:
        def cut() -> Chunk:
            return Chunk(s, model.value()[self._chunks.of(round).selector(s)])

        return DenseChunk().payload(self.task.defer(cut), int(self._chunks.sizes[s]))

    def _neighbours(self, round: int) -> list[Int64]:
        if round not in self._graphs:
            self._graphs = {old: kept for old, kept in self._graphs.items() if old >= round - 1}
            graph = random_regular(self._degree, self._virtual, self.context.streams, round)
            self._graphs[round] = neighbours(graph)
        return self._graphs[round]

    def _average(self, own: Deferred[Vector], arrivals: Arrivals, round: int) -> Vector:
        arrived: list[Chunk] = [each.payload.value.value() for each in arrivals]
        copies = [chunk for chunk in arrived if len(chunk.values_n)]
        chunks = self._chunks.of(round)
        if self._config.averaging == "1/r":
            return by_degree(self.task.n, copies, chunks, self._degree)
        return by_copies(own.value(), copies, chunks)
