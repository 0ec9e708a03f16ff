"""Sums of updates over clients, those of all shards side by side."""

import math
from collections.abc import Callable
from typing import final
from weakref import WeakSet

from netsim.learning.base import Task
from netsim.network.messages import Arrivals, Message
from netsim.protocols.exchange import Weights
from netsim.protocols.vector import Vector, add_scaled, zeros
from netsim.wire.compressors.base import Restored
from netsim.wire.deferred import Deferred

Restore = Callable[[Message], Restored]


@final
class Sums:
    """Weighted sums of messages, in the order of the clients, computed when needed.

    All sums of a round whose messages have come advance together, client by client, and let go
    of every message they added: so the updates of many clients are never held at once, however
    many owners each is cut for.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._open: dict[int, WeakSet[_Sum]] = {}

    def of(
        self, round: int, size: int, arrivals: Arrivals, weights: Weights, restore: Restore
    ) -> Deferred[Vector]:
        """Σ weight · restored message over ``arrivals``, Float32[size]."""
        mine = _Sum(size, arrivals, weights, restore)
        self._open = {of: sums for of, sums in self._open.items() if sums}
        together = self._open.setdefault(round, WeakSet())
        together.add(mine)

        def value() -> Vector:
            if not mine.complete:
                _advance([each for each in together if not each.complete])
            return mine.total()

        return self._task.defer(value)


@final
class _Sum:
    """One sum on its way through its messages."""

    def __init__(self, size: int, arrivals: Arrivals, weights: Weights, restore: Restore) -> None:
        self._size, self._arrivals = size, arrivals
        self._weights, self._restore = weights, restore
        self._total: Vector | None = None
        self._next = 0

    @property
    def complete(self) -> bool:
        return self._next == len(self._arrivals)

    def total(self) -> Vector:
        """What was added so far."""
        if self._total is None:
            self._total = zeros(self._size)
        return self._total

    def left(self) -> list[int]:
        """The senders of what is not added yet."""
        return self._arrivals.senders[self._next :]

    def add(self, until: float) -> None:
        """Add what is next from senders up to ``until``, inclusive."""
        arrivals, senders, total = self._arrivals, self._arrivals.senders, self.total()
        for at in range(self._next, len(senders)):
            sender = senders[at]
            if sender > until:
                break
            add_scaled(total, self._weights[sender], self._restore(arrivals[at]))
            arrivals.let_go(at)
            self._next = at + 1


def _advance(sums: list[_Sum]) -> None:
    if len(sums) == 1:
        sums[0].add(math.inf)
        return
    for sender in sorted({sender for each in sums for sender in each.left()}):
        for each in sums:
            each.add(sender)
