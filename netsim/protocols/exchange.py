"""How an ERIS client's update becomes shards, and shards become a step."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from netsim.learning.base import Task
from netsim.network.messages import Arrivals
from netsim.protocols.vector import Vector, weighted_sum
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards

Weights = Mapping[int, float]


class Exchange(ABC):
    """The part of ERIS that compression changes: what clients send and aggregators sum."""

    def __init__(self, task: Task, weights: Weights) -> None:
        self.task = task
        self.weights = weights

    @abstractmethod
    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]]:
        """What ``client`` sends to each aggregator."""

    @abstractmethod
    def direction(self, a: int, shards: Shards, arrivals: Arrivals) -> Deferred[Vector]:
        """What aggregator ``a`` steps along, from what arrived; what is missing counts zero."""

    @abstractmethod
    def reply(
        self, a: int, shards: Shards, part: Deferred[Vector], senders: Sequence[int]
    ) -> Payload[Any]:
        """What aggregator ``a`` broadcasts: its part of the model, and whose shards it used."""

    @abstractmethod
    def payload_bits(self, shards: Shards) -> tuple[int, int]:
        """Payload of all a client sends, and of all it gets back, bits."""

    @abstractmethod
    def part(self, value: Any) -> Vector:
        """The part of the model in a broadcast's value."""

    @abstractmethod
    def learned(self, client: int, shards: Shards, replies: Mapping[int, Payload[Any]]) -> None:
        """``client`` received these broadcasts, by aggregator."""

    @abstractmethod
    def settled(self, a: int, shards: Shards, arrivals: Arrivals, reached: frozenset[int]) -> None:
        """Aggregator ``a`` used ``arrivals`` and its broadcast reached these clients."""


class PlainExchange(Exchange):
    """Dense shards: federated shard aggregation alone."""

    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]]:
        def shard(a: int) -> Deferred[Vector]:
            return self.task.defer(lambda: shards.take(update.value(), a))

        return [Dense().payload(shard(a), int(shards.sizes[a])) for a in range(shards.count)]

    def direction(self, a: int, shards: Shards, arrivals: Arrivals) -> Deferred[Vector]:
        return self.task.defer(
            lambda: weighted_sum(
                int(shards.sizes[a]),
                ((self.weights[each.sender], each.payload.value.value()) for each in arrivals),
            )
        )

    def reply(
        self, a: int, shards: Shards, part: Deferred[Vector], senders: Sequence[int]
    ) -> Payload[Any]:
        return Dense().payload(part, int(shards.sizes[a]))

    def payload_bits(self, shards: Shards) -> tuple[int, int]:
        dense = Dense().payload_bits(shards.n)
        return dense, dense

    def part(self, value: Any) -> Vector:
        vector: Vector = value
        return vector

    def learned(self, client: int, shards: Shards, replies: Mapping[int, Payload[Any]]) -> None:
        """Nothing to remember."""

    def settled(self, a: int, shards: Shards, arrivals: Arrivals, reached: frozenset[int]) -> None:
        """Nothing to remember."""
