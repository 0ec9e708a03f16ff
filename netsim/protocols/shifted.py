"""Distributed shifted compression: ERIS, Algorithm 1, with random sparsification."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.learning.base import Task
from netsim.network.messages import Arrivals
from netsim.protocols.exchange import Exchange, Weights
from netsim.protocols.vector import Vector
from netsim.scenario.config import Config
from netsim.wire.acknowledged import Acknowledged, AcknowledgedDense
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards
from netsim.wire.shared_seed import SharedSeedSparse
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK, gamma


class RandKShift(Config):
    """Keep ⌈keep · |shard|⌉ coordinates of each shard, drawn anew each round.

    ``masks``: one mask for all clients, or one for each.  ``gamma``: the step of the reference
    vectors; by default that of Theorem 3.6 for the compressor's ω.
    """

    kind: Literal["rand_k"] = "rand_k"
    keep: float = Field(gt=0, le=1)
    masks: Literal["independent", "shared"] = "independent"
    gamma: float | None = Field(default=None, gt=0, le=1)


class ShiftedExchange(Exchange):
    """Clients send v_k = C(u_k − s_k); aggregators step along s_(a) + Σ w_k v_k.

    s_k moves by γ v_k only on shards whose broadcast reached client k and names it as used;
    the aggregator learns of a broadcast that failed and moves s_(a) for the others alone.  So
    s_(a) = Σ w_k s_k holds on every coordinate, whatever fails.
    """

    def __init__(self, task: Task, weights: Weights, streams: Streams, config: RandKShift) -> None:
        super().__init__(task, weights)
        self._streams = streams
        self._shared = config.masks == "shared"
        self._codec = SharedSeedSparse(RandK(config.keep))
        self._gamma = config.gamma
        self._acknowledged = AcknowledgedDense(task.clients)
        zeros = task.defer(lambda: np.zeros(task.n, np.float32))
        self.reference = zeros
        self.references = dict.fromkeys(weights, zeros)
        self._sent: dict[int, list[Deferred[Sparse]]] = {}

    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]]:
        reference = self.references[client]
        shifted = self.task.defer(lambda: update.value() - reference.value())
        who = () if self._shared else (client,)

        def shard(a: int) -> Deferred[Sparse]:
            seed = self._streams.integer("mask", round, a, *who)
            return self.task.defer(
                lambda: self._codec.compress(shards.take(shifted.value(), a), seed)
            )

        sent = self._sent[client] = [shard(a) for a in range(shards.count)]
        return [
            self._codec.payload(value, int(size))
            for value, size in zip(sent, shards.sizes, strict=True)
        ]

    def direction(self, a: int, shards: Shards, arrivals: Arrivals) -> Deferred[Vector]:
        reference = self.reference
        return self.task.defer(
            lambda: shards.take(reference.value(), a) + self._sum(a, shards, arrivals)
        )

    def reply(
        self, a: int, shards: Shards, part: Deferred[Vector], senders: Sequence[int]
    ) -> Payload[Any]:
        used_K = np.zeros(self.task.clients, bool)
        used_K[list(senders)] = True
        value = self.task.defer(lambda: Acknowledged(part.value(), used_K))
        return self._acknowledged.payload(value, int(shards.sizes[a]))

    def payload_bits(self, shards: Shards) -> tuple[int, int]:
        kept = sum(self._codec.payload_bits(int(size)) for size in shards.sizes)
        return kept, self._acknowledged.payload_bits(shards.n)

    def part(self, value: Acknowledged) -> Vector:
        return value.values_n

    def learned(self, client: int, shards: Shards, replies: Mapping[int, Payload[Any]]) -> None:
        if client not in self.references:
            return
        before, sent = self.references[client], self._sent[client]
        self.references[client] = self.task.defer(
            lambda: self._moved(client, before.value(), shards, replies, sent)
        )

    def settled(self, a: int, shards: Shards, arrivals: Arrivals, reached: frozenset[int]) -> None:
        before = self.reference
        self.reference = self.task.defer(
            lambda: self._advanced(before.value(), a, shards, arrivals, reached)
        )

    def _sum(
        self, a: int, shards: Shards, arrivals: Arrivals, among: frozenset[int] | None = None
    ) -> Vector:
        total = np.zeros(int(shards.sizes[a]), np.float32)
        for each in arrivals:
            if among is None or each.sender in among:
                sparse = each.payload.value.value()
                total[sparse.indices_k] += np.float32(self.weights[each.sender]) * sparse.values_k
        return total

    def _step(self, shards: Shards) -> np.float32:
        kept = sum(self._codec.rand_k.kept(int(size)) for size in shards.sizes)
        return np.float32(self._gamma or gamma(shards.n / kept - 1))

    def _moved(
        self,
        client: int,
        before: Vector,
        shards: Shards,
        replies: Mapping[int, Payload[Any]],
        sent: list[Deferred[Sparse]],
    ) -> Vector:
        after, step = before.copy(), self._step(shards)
        for a, reply in replies.items():
            assert reply.value is not None
            if reply.value.value().used_K[client]:
                sparse, part = sent[a].value(), shards.take(after, a).copy()
                part[sparse.indices_k] += step * sparse.values_k
                shards.put(after, a, part)
        return after

    def _advanced(
        self,
        before: Vector,
        a: int,
        shards: Shards,
        arrivals: Arrivals,
        reached: frozenset[int],
    ) -> Vector:
        after = before.copy()
        moved = shards.take(after, a) + self._step(shards) * self._sum(a, shards, arrivals, reached)
        shards.put(after, a, moved)
        return after
