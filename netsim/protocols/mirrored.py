"""Shifted compression both ways: clients mirror the owners' references."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.base import Task
from netsim.network.messages import Arrivals, Batch, Message
from netsim.protocols.compression import RandKCompression
from netsim.protocols.exchange import Exchange, Weights
from netsim.protocols.vector import Vector, add_scaled, descend, zeros
from netsim.wire.acknowledged_sparse import AcknowledgedMean, AcknowledgedSparse
from netsim.wire.compressors.rand_k import RandKCompressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.resync import Resync, ResyncCodec
from netsim.wire.shards import Shards
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK, gamma


@final
class MirroredExchange(Exchange):
    """One mask for all clients, so that the mean of v stays sparse and is broadcast alone.

    Every client mirrors s_(a) and steps its own copy of the model along s_(a) + Σ w_k v_k as
    the owner does.  One that missed a broadcast is out of step: its pieces are not used, and
    until it gets one the owner sends it model and reference instead, dense, and whether the
    piece of the round it missed first was used.  Then s_(a) = Σ w_k s_k, up to moves that
    clients out of step still owe.
    """

    learns: ClassVar[bool] = True

    def __init__(
        self, task: Task, weights: Weights, streams: Streams, config: RandKCompression
    ) -> None:
        super().__init__(task)
        self.weights = weights
        self._streams = streams
        self._compressor = RandKCompressor(RandK(config.keep, task.statistics))
        self._gamma = config.gamma
        start = task.defer(lambda: zeros(task.n))
        self.reference = start
        self.references = dict.fromkeys(weights, start)
        self._sent: dict[int, dict[int, list[Deferred[Sparse]]]] = {k: {} for k in weights}
        self._before: dict[tuple[int, int], Deferred[Vector]] = {}
        self._means: dict[int, tuple[Deferred[Sparse], frozenset[int]]] = {}
        self._owed: dict[int, dict[int, tuple[int, bool]]] = {}
        self._heard: dict[tuple[int, int], int] = {}

    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]] | Batch:
        reference = self.references[client]
        shifted = self.task.defer(lambda: update.value() - reference.value())
        seeds = Seeds(self._streams, round)

        def shard(a: int) -> Deferred[Sparse]:
            codec, seed = self._compressor.codec(shards, a), seeds.shard(a)
            return self.task.defer(lambda: codec.compress(shards.take(shifted.value(), a), seed))

        sent = self._sent[client][round] = [shard(a) for a in range(shards.count)]
        return [
            self._compressor.codec(shards, a).payload(value, int(shards.sizes[a]))
            for a, value in enumerate(sent)
        ]

    def direction(self, a: int, shards: Shards, arrivals: Arrivals, round: int) -> Deferred[Vector]:
        owed, before = self._owed.setdefault(a, {}), self.reference
        terms = [each for each in arrivals if each.sender not in owed]
        seed = Seeds(self._streams, round).shard(a)
        mean = self.task.defer(lambda: self._mean(terms, shards, a, seed))
        self._means[a] = mean, frozenset(each.sender for each in terms)
        self._before[round, a] = before
        self._before.pop((round - 3, a), None)
        step = self._step(shards)

        def advanced() -> Vector:
            after = before.value().copy()
            part = shards.take(after, a).copy()
            add_scaled(part, step, mean.value())
            shards.put(after, a, part)
            return after

        self.reference = self.task.defer(advanced)
        return self.task.defer(lambda: shards.take(before.value(), a) + mean.value().dense())

    def reply(
        self, a: int, shards: Shards, part: Deferred[Vector], senders: Sequence[int], round: int
    ) -> list[Payload[Any]]:
        (mean, used), owed = self._means[a], self._owed[a]
        used_K = np.zeros(self.task.clients, bool)
        used_K[list(used)] = True
        told = self.task.defer(lambda: AcknowledgedMean(mean.value(), used_K))
        codec = AcknowledgedSparse(self._compressor.codec(shards, a), self.task.clients)
        short = codec.payload(told, int(shards.sizes[a]))
        payloads: list[Payload[Any]] = []
        for client in range(self.task.clients):
            if client in owed:
                payloads.append(self._resync(owed[client], part, shards, a))
            else:
                payloads.append(short)
                owed[client] = round, client in used
        return payloads

    def settled(
        self, a: int, shards: Shards, arrivals: Arrivals, reached: frozenset[int], round: int
    ) -> None:
        for client in reached:
            self._owed[a].pop(client, None)

    def received(
        self, value: Deferred[Any], a: int, shards: Shards, held: Deferred[Vector], round: int
    ) -> Deferred[Vector]:
        reference = self._before[round, a]

        def part() -> Vector:
            message = value.value()
            if isinstance(message, Resync):
                return message.model_n
            direction = shards.take(reference.value(), a) + message.mean.dense()
            return descend(shards.take(held.value(), a), self.task.rate(round), direction)

        return self.task.defer(part)

    def payload_bits(self, shards: Shards) -> int:
        return self._compressor.payload_bits(shards)

    def reply_bits(self, shards: Shards) -> int:
        return self.payload_bits(shards)

    def learned(
        self, client: int, shards: Shards, replies: Mapping[int, Payload[Any]], round: int
    ) -> None:
        if client not in self.references:
            return
        shares = [
            (a, reply.value, self._heard.get((client, a), -1)) for a, reply in replies.items()
        ]
        self._heard |= {(client, a): round for a in replies}
        oldest = min(self._heard.get((client, a), -1) for a in range(shards.count))
        sent = self._sent[client]
        self._sent[client] = {at: kept for at, kept in sent.items() if at > oldest}
        before, step = self.references[client], self._step(shards)

        def moved() -> Vector:
            after = before.value().copy()
            for a, value, heard in shares:
                assert value is not None
                at = _used_in(value.value(), client, round, heard)
                if at in sent:
                    part = shards.take(after, a).copy()
                    add_scaled(part, step, sent[at][a].value())
                    shards.put(after, a, part)
            return after

        self.references[client] = self.task.defer(moved)

    def _resync(
        self, owed: tuple[int, bool], part: Deferred[Vector], shards: Shards, a: int
    ) -> Payload[Any]:
        reference = self.reference
        value = self.task.defer(
            lambda: Resync(part.value(), shards.take(reference.value(), a), *owed)
        )
        return ResyncCodec().payload(value, int(shards.sizes[a]))

    def _mean(self, terms: Sequence[Message], shards: Shards, a: int, seed: int) -> Sparse:
        size = int(shards.sizes[a])
        indices_k = self._compressor.codec(shards, a).rand_k.seeded_mask(size, seed)
        total_k = zeros(len(indices_k))
        for each in terms:
            add_scaled(total_k, self.weights[each.sender], each.payload.value.value().values_k)
        return Sparse(size, indices_k, total_k, seed)

    def _step(self, shards: Shards) -> float:
        if self._gamma is not None:
            return self._gamma
        return gamma(self._compressor.omega(shards))


def _used_in(message: Any, client: int, round: int, heard: int) -> int:
    """The round whose piece of the client's the owner used and it has not moved by yet, or −1."""
    if isinstance(message, Resync):
        return message.missed if message.used and message.missed > heard else -1
    return round if message.used_K[client] else -1
