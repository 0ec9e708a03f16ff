"""What owners of shards remember of their coordinates for the optimiser."""

from typing import final

import numpy as np

from netsim.learning.base import Task
from netsim.protocols.optimisers.base import Optimiser, State
from netsim.protocols.vector import Vector
from netsim.wire.deferred import Deferred
from netsim.wire.shards import Shards


@final
class Memory:
    """The optimiser's memory, kept by shard and dealt out anew when the partition changes."""

    def __init__(self, task: Task, optimiser: Optimiser, shards: Shards) -> None:
        self._task = task
        self._shards = shards
        self._slots = len(optimiser.initial(0))

        def fresh(size: int) -> Deferred[State]:
            return task.defer(lambda: optimiser.initial(size))

        self._parts = [fresh(int(size)) for size in shards.sizes]

    def of(self, a: int, shards: Shards) -> Deferred[State]:
        """The memory of shard ``a``."""
        if shards is not self._shards:
            self._deal(shards)
        return self._parts[a]

    def put(self, a: int, state: Deferred[State]) -> None:
        """Replace the memory of shard ``a``."""
        self._parts[a] = state

    def whole(self) -> list[Deferred[Vector]]:
        """Each thing remembered, over all coordinates."""
        parts, shards = list(self._parts), self._shards

        def assembled(slot: int) -> Deferred[Vector]:
            return self._task.defer(lambda: shards.assemble([part.value()[slot] for part in parts]))

        return [assembled(slot) for slot in range(self._slots)]

    def _deal(self, shards: Shards) -> None:
        whole = self.whole()

        def taken(a: int) -> Deferred[State]:
            return self._task.defer(
                lambda: tuple(np.array(shards.take(each.value(), a)) for each in whole)
            )

        self._shards, self._parts = shards, [taken(a) for a in range(shards.count)]
