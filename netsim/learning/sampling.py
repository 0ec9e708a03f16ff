"""Which samples a local step uses."""

from collections.abc import Sequence
from typing import Literal

from netsim.kernel.streams import Streams
from netsim.learning.base import Int64


class Batches:
    """Draws from each client's samples.

    ``size`` is the largest batch of any client, ``smallest`` the least of one that has samples.
    """

    def __init__(self, parts: Sequence[Int64], batch: int | Literal["full"], streams: Streams):
        self._parts = parts
        self._streams = streams
        largest = max(len(part) for part in parts)
        self._limit = largest if batch == "full" else batch
        self.size = min(self._limit, largest)
        self.smallest = min((len(part) for part in parts if len(part)), default=1)
        self.smallest = min(self.smallest, self._limit)

    def draw(self, client: int, round: int, step: int) -> Int64:
        """Indices of training samples, ascending, without repetition: all if a batch holds them.

        They depend on (client, round, step) and the client's samples alone.
        """
        part = self._parts[client]
        if len(part) <= self._limit:
            return part
        rng = self._streams.rng("batch", client, round, step)
        drawn = part[rng.choice(len(part), self._limit, replace=False, shuffle=False)]
        drawn.sort()
        return drawn
