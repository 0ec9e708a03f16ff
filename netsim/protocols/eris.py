"""ERIS: federated shard aggregation without a server, with optional compression."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.protocols.base import Context, Paper, Protocol, ProtocolConfig, Role
from netsim.protocols.exchange import Exchange, PlainExchange
from netsim.protocols.handover import Handover
from netsim.protocols.shifted import RandKShift, ShiftedExchange
from netsim.protocols.vector import Vector, descend
from netsim.theory.distribution import eq53_eris_s
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.shards import ContiguousShards, InterleavedShards, RandomShards, Shards


class ErisConfig(ProtocolConfig):
    """``aggregators`` A (all clients by default), how the model is cut in A shards (``masks``),
    whether the cut is ``redraw``n each round, and optional ``compression``."""

    kind: Literal["eris"] = "eris"
    aggregators: int | None = Field(default=None, ge=1)
    masks: Literal["contiguous", "interleaved", "random"] = "contiguous"
    redraw: bool = False
    weights: Literal["samples", "uniform"] = "samples"
    compression: RandKShift | None = None

    def describe(self, clients: int) -> str:
        extra = f", keep {self.compression.keep:g}" if self.compression is not None else ""
        return f"eris (A={self.aggregators or clients}{extra})"

    def needs_rounds(self) -> bool:
        return self.redraw and self.compression is not None

    def problems(self, clients: int) -> Iterator[Problem]:
        if self.aggregators is not None and self.aggregators > clients:
            yield (
                ("aggregators",),
                f"{self.aggregators} aggregators among {clients} clients; write at most {clients}",
            )
        if self.redraw and self.masks != "random":
            yield ("redraw",), f"{self.masks} masks are the same each round; write masks: random"


class Eris(Protocol):
    """Federated shard aggregation (FSA); ERIS v1 Algorithm 1, v2 Section 3.2.

    A round: each client sends shard a of its update to aggregator a, one of the first A
    clients; the aggregator averages the shards over all clients, steps its part of the model,
    and broadcasts it.  The reassembled model is FedAvg's, bit for bit.  A shard that fails
    counts as zero and the divisor stays all clients; a client that misses a broadcast keeps its
    old part until the next.  With ``compression`` shards are those of v_k = C(u_k − s_k); where
    masks are redrawn, reference vectors move to a coordinate's new owner in a message of their
    own, and an aggregator that misses one leaves its part of the model as it is for the round.
    """

    title: ClassVar = "Serverless federated shard aggregation, optional shifted compression"
    paper: ClassVar = Paper(
        "ERIS, arXiv 2025, Algorithm 1",
        """@article{eris2025,
  title = {{ERIS}: Serverless Federated Learning by Shard Aggregation},
  year = {2025}
}""",
    )
    messages: ClassVar = {
        "update": ("client", "aggregator"),
        "model": ("aggregator", "client"),
        "handover": ("aggregator", "aggregator"),
    }
    Config = ErisConfig

    def __init__(self, config: ErisConfig, context: Context) -> None:
        super().__init__(config, context)
        self._config = config
        self._owners = list(range(config.aggregators or len(self.clients)))
        weights = self.weights(self.trainers, config.weights)
        self._handover: Handover | None = None
        self._exchange: Exchange = PlainExchange(self.task, weights)
        if config.compression is not None:
            self._exchange = ShiftedExchange(
                self.task, weights, context.streams, config.compression
            )
            if config.redraw:
                self._handover = Handover(self._exchange, self._owners, context)
        self._fixed = self._cut(0)
        self._cuts: dict[int, Shards] = {}
        self._model = self.task.initial
        self._held = [self._model for _ in self.clients]
        self._whole: dict[int, Deferred[Vector]] = {}
        self._parts: dict[int, dict[int, Deferred[Vector]]] = {}

    def roles(self) -> Sequence[Role]:
        return [
            *(Role(client, "client", partial(self._train, client)) for client in self.clients),
            *(
                Role(owner, "aggregator", partial(self._aggregate, a))
                for a, owner in enumerate(self._owners)
            ),
        ]

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        shards, before, parts = self._shards(round), self._model, self._parts.pop(round, {})
        self._model = (
            self._whole.pop(round)
            if round in self._whole
            else self._assembled(before, shards, parts)
        )
        return [self._model]

    def formula(self) -> tuple[str, float]:
        net, clients = self.context.topology, slice(0, len(self.clients))
        up, down = net.uplink_bps_H[clients], net.downlink_bps_H[clients]
        sent, back = self._exchange.payload_bits(self._fixed)
        return "eq53", eq53_eris_s(sent, back, up, down, np.array(self._owners))

    async def _train(self, client: int, round: int) -> None:
        node, shards = self.nodes[client], self._shards(round)
        if self._handover is not None:
            await self.context.phases.done()
        if client in self.trainers:
            update = await self.update(client, self._held[client], round)
            pieces = self._pieces_of(client, update, round)
            await node.scatter(self._owners, pieces, "update", round)
        await self.context.phases.done()
        arrivals = await node.gather(self._owners, "model", round)
        self._reassemble(client, shards, arrivals, round)

    async def _aggregate(self, a: int, round: int) -> None:
        owner, shards = self._owners[a], self._shards(round)
        node, held = self.nodes[owner], self._held[owner]
        ready = True
        if self._handover is not None:
            ready = await self._handover.run(a, shards, round)
            await self.context.phases.done()
        arrivals = await node.gather(self.trainers, "update", round)
        await self.context.phases.done()
        used = arrivals if ready else Arrivals([], {})
        part = self._stepped(a, shards, held, used if ready else None)
        self._parts.setdefault(round, {})[a] = part
        reply = self._exchange.reply(a, shards, part, used.senders)
        sending = node.broadcast(self.clients, reply, "model", round)
        failed = await sending.settled()
        reached = frozenset(self.clients) - failed.keys()
        self._exchange.settled(a, shards, used, reached)

    def _cut(self, round: int) -> Shards:
        n, count = self.task.n, len(self._owners)
        if self._config.masks == "contiguous":
            return ContiguousShards(n, count)
        if self._config.masks == "interleaved":
            return InterleavedShards(n, count)
        return RandomShards(n, count, self.context.streams.rng("partition", round))

    def _shards(self, round: int) -> Shards:
        """The partition of the round, the same at every client."""
        if not self._config.redraw:
            return self._fixed
        if round not in self._cuts:
            self._cuts = {old: cut for old, cut in self._cuts.items() if old >= round - 1}
            self._cuts[round] = self._cut(round)
        return self._cuts[round]

    def _pieces_of(self, client: int, update: Deferred[Vector], round: int) -> list[Payload[Any]]:
        return self._exchange.pieces(client, update, self._shards(round), round)

    def _stepped(
        self, a: int, shards: Shards, held: Deferred[Vector], arrivals: Arrivals | None
    ) -> Deferred[Vector]:
        """Part ``a`` of the model after a step, or as it was where there are no arrivals."""
        if arrivals is None:
            return self.task.defer(lambda: shards.take(held.value(), a).copy())
        direction = self._exchange.direction(a, shards, arrivals)
        return self.task.defer(
            lambda: descend(shards.take(held.value(), a), self.task.lr, direction.value())
        )

    def _reassemble(self, client: int, shards: Shards, arrivals: Arrivals, round: int) -> None:
        """Put what arrived into the client's model; what did not stays as it was."""
        shard_of = {owner: a for a, owner in enumerate(self._owners)}
        replies = {shard_of[each.sender]: each.payload for each in arrivals}
        parts = {a: self._part(reply) for a, reply in replies.items()}
        if len(parts) == shards.count:
            if round not in self._whole:
                self._whole[round] = self._assembled(self._held[client], shards, parts)
            self._held[client] = self._whole[round]
        elif parts:
            self._held[client] = self._assembled(self._held[client], shards, parts)
        self._exchange.learned(client, shards, replies)

    def _part(self, reply: Payload[Any]) -> Deferred[Vector]:
        value = reply.value
        assert value is not None
        return self.task.defer(lambda: self._exchange.part(value.value()))

    def _assembled(
        self, before: Deferred[Vector], shards: Shards, parts: dict[int, Deferred[Vector]]
    ) -> Deferred[Vector]:
        def assemble() -> Vector:
            model = before.value().copy()
            for a, part in parts.items():
                shards.put(model, a, part.value())
            return model

        return self.task.defer(assemble)
