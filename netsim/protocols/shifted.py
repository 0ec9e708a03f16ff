"""Distributed shifted compression: ERIS, Algorithm 1, around any unbiased compressor."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.base import Task
from netsim.network.messages import Arrivals, Batch
from netsim.protocols.compression import Compression
from netsim.protocols.exchange import Exchange, Weights
from netsim.protocols.participation import Sampling
from netsim.protocols.vector import Vector, add_scaled, zeros
from netsim.wire.acknowledged import Acknowledged, AcknowledgedDense
from netsim.wire.compressors.base import Restored
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards
from netsim.wire.sparsify import gamma


@final
class ShiftedExchange(Exchange):
    """Clients send v_k = C(u_k − s_k); owners of shards step along s_(a) + Σ w_k v_k.

    Where only some clients train, Σ w_k v_k is divided by what their w_k add up to.
    s_k moves by γ v_k only on shards whose broadcast reached client k and names it as used;
    the owner learns of a broadcast that failed and moves s_(a) for the others alone.  So
    s_(a) = Σ w_k s_k holds on every coordinate, whatever fails.
    """

    learns: ClassVar[bool] = True

    def __init__(
        self,
        task: Task,
        weights: Weights,
        streams: Streams,
        config: Compression,
        sampling: Sampling,
    ) -> None:
        super().__init__(task)
        self.weights = weights
        self._sampling = sampling
        self._streams = streams
        self._shared = config.masks == "shared"
        self._compressor = config.compressor().sparing(task.statistics)
        self._gamma = config.gamma
        self._acknowledged = AcknowledgedDense(task.clients)
        start = task.defer(lambda: zeros(task.n))
        self.reference = start
        self.references = dict.fromkeys(weights, start)
        self._sent: dict[int, list[Payload[Any]] | Batch] = {}

    @property
    def block(self) -> int:
        return self._compressor.block

    @property
    def kept_bits(self) -> int | None:
        return self._compressor.kept_bits

    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]] | Batch:
        reference = self.references[client]
        shifted = self.task.defer(lambda: update.value() - reference.value())
        sent = self._compressor.messages(shifted, shards, self._seeds(client, round))
        self._sent[client] = sent
        return sent

    def direction(self, a: int, shards: Shards, arrivals: Arrivals, round: int) -> Deferred[Vector]:
        reference, share = self.reference, self._share(round)

        def direction() -> Vector:
            mean = self._sum(a, shards, arrivals, round)
            return shards.take(reference.value(), a) + (mean if share == 1 else mean / share)

        return self.task.defer(direction)

    def reply(
        self, a: int, shards: Shards, part: Deferred[Vector], senders: Sequence[int], round: int
    ) -> Payload[Any]:
        used_K = np.zeros(self.task.clients, bool)
        used_K[list(senders)] = True
        value = self.task.defer(lambda: Acknowledged(part.value(), used_K))
        return self._acknowledged.payload(value, int(shards.sizes[a]))

    def payload_bits(self, shards: Shards) -> int | None:
        return self._compressor.payload_bits(shards)

    def received(
        self, value: Deferred[Any], a: int, shards: Shards, held: Deferred[Vector], round: int
    ) -> Deferred[Vector]:
        def part() -> Vector:
            message: Acknowledged = value.value()
            return message.values_n

        return self.task.defer(part)

    def learned(
        self, client: int, shards: Shards, replies: Mapping[int, Payload[Any]], round: int
    ) -> None:
        if client not in self.references:
            return
        before, sent = self.references[client], self._sent.get(client)
        if sent is None:
            return
        seeds = self._seeds(client, round)

        def moved() -> Vector:
            after, step = before.value().copy(), self._step(shards)
            for a in self._used(client, replies):
                value = sent[a].value
                assert value is not None
                own = self._compressor.restore(value.value(), shards, a, seeds)
                part = shards.take(after, a).copy()
                add_scaled(part, step, own)
                shards.put(after, a, part)
            return after

        self.references[client] = self.task.defer(moved)

    def settled(
        self, a: int, shards: Shards, arrivals: Arrivals, reached: frozenset[int], round: int
    ) -> None:
        before = self.reference

        def advanced() -> Vector:
            after = before.value().copy()
            mean = self._sum(a, shards, arrivals, round, reached)
            moved = shards.take(after, a) + np.float32(self._step(shards)) * mean
            shards.put(after, a, moved)
            return after

        self.reference = self.task.defer(advanced)

    def carried(self) -> list[Deferred[Vector]]:
        return [self.reference]

    def _sum(
        self,
        a: int,
        shards: Shards,
        arrivals: Arrivals,
        round: int,
        among: frozenset[int] | None = None,
    ) -> Vector:
        total = zeros(int(shards.sizes[a]))
        for each in arrivals:
            if among is None or each.sender in among:
                term = self._restored(each.sender, each.payload, shards, a, round)
                add_scaled(total, self.weights[each.sender], term)
        return total

    def _restored(
        self, client: int, payload: Payload[Any], shards: Shards, a: int, round: int
    ) -> Restored:
        assert payload.value is not None
        seeds = self._seeds(client, round)
        return self._compressor.restore(payload.value.value(), shards, a, seeds)

    def _share(self, round: int) -> np.float32:
        """What the weights of the round's clients add up to."""
        if self._sampling.everyone:
            return np.float32(1)
        return np.float32(sum(self.weights[client] for client in self._sampling.trainers(round)))

    def _seeds(self, client: int, round: int) -> Seeds:
        return Seeds(self._streams, round, None if self._shared else client)

    def _step(self, shards: Shards) -> float:
        omega = self._compressor.omega(shards)
        assert omega is not None, "a biased compressor"
        return gamma(omega) if self._gamma is None else self._gamma

    def _used(self, client: int, replies: Mapping[int, Payload[Any]]) -> list[int]:
        """The shards whose owner used what the client sent, as far as it was told."""
        told = [(a, reply.value) for a, reply in replies.items()]
        return [a for a, value in told if value is not None and value.value().used_K[client]]
