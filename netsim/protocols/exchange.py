"""How a client's update becomes shards, and shards become a direction."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from netsim.learning.base import Task
from netsim.network.messages import Arrivals, Batch
from netsim.protocols.vector import Vector
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.floats import FLOAT32
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards

Weights = Mapping[int, float]
Weigh = Callable[[Sequence[int], int], Weights]
"""Weights of the clients whose updates arrived, in a round."""


class Exchange(ABC):
    """What clients send for their updates, and what owners of shards make of it.

    A central server owns the one shard there is.  ``learns``: whether clients must look at
    every broadcast, beside the model in it.
    """

    learns: ClassVar[bool] = False

    def __init__(self, task: Task) -> None:
        self.task = task

    @property
    def block(self) -> int:
        """How many consecutive coordinates no cut may part."""
        return 1

    @property
    def kept_bits(self) -> int | None:
        """What each coordinate of a piece takes; None where a piece tells of all of its shard."""
        return FLOAT32.bits

    @abstractmethod
    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]] | Batch:
        """What ``client`` sends to the owner of each shard."""

    @abstractmethod
    def direction(
        self, a: int, shards: Shards, arrivals: Arrivals, round: int
    ) -> Deferred[Vector] | None:
        """What the owner of shard ``a`` steps along; None to stay where it is."""

    @abstractmethod
    def payload_bits(self, shards: Shards) -> int | None:
        """Payload of all a client sends, bits; None where it depends on the update."""

    def reply_bits(self, shards: Shards) -> int:
        """Payload of all a client gets back, bits."""
        return Dense().payload_bits(shards.n)

    def reply(
        self, a: int, shards: Shards, part: Deferred[Vector], senders: Sequence[int], round: int
    ) -> Payload[Any] | list[Payload[Any]]:
        """What the owner of shard ``a`` broadcasts: its part of the model, and whose pieces it
        used where clients need to know; or a payload for each client."""
        return Dense().payload(part, int(shards.sizes[a]))

    def received(
        self, value: Deferred[Any], a: int, shards: Shards, held: Deferred[Vector], round: int
    ) -> Deferred[Vector]:
        """Part ``a`` of the model as a client that ``held`` another gets it from a broadcast."""
        return value

    def learned(
        self, client: int, shards: Shards, replies: Mapping[int, Payload[Any]], round: int
    ) -> None:
        """``client`` received these broadcasts, by shard; most exchanges need not know."""
        return

    def settled(
        self, a: int, shards: Shards, arrivals: Arrivals, reached: frozenset[int], round: int
    ) -> None:
        """The owner of shard ``a`` used ``arrivals`` and its broadcast reached these clients;
        most exchanges need not know."""
        return

    def carried(self) -> list[Deferred[Vector]]:
        """What owners remember of each coordinate, and hand over with it."""
        return []
