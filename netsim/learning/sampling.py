"""Which samples a local step uses."""

from collections.abc import Sequence
from typing import Literal

from netsim.kernel.streams import Streams
from netsim.learning.base import Int64


class Batches:
    """Draws from each client's samples.

    ``size`` is the largest batch of any client, ``smallest`` the least of one that has samples,
    ``held_K`` how many samples each holds, and ``samples`` how many all hold together.
    Each batch is drawn anew, or, by ``epochs``, all samples are gone through in a random order
    before any is used again.
    """

    def __init__(
        self,
        parts: Sequence[Int64],
        batch: int | Literal["full"],
        streams: Streams,
        epochs: bool = False,
    ) -> None:
        self._parts = parts
        self.held_K = [len(part) for part in parts]
        self.samples = sum(self.held_K)
        self._streams = streams
        self._epochs = epochs
        self._orders = dict[int, tuple[tuple[int, int], Int64]]()
        """Each client's latest pass: its round and number, and the order of its samples."""
        largest = max(self.held_K)
        self._limit = largest if batch == "full" else batch
        self.size = min(self._limit, largest)
        self.smallest = min((self._least(held) for held in self.held_K if held), default=1)

    def of(self, client: int) -> Int64:
        """All samples of the client: indices of training samples, ascending."""
        return self._parts[client]

    def draw(self, client: int, round: int, step: int) -> Int64:
        """Indices of training samples, ascending, without repetition: all if a batch holds them.

        They depend on (client, round, step) and the client's samples alone.
        """
        part = self._parts[client]
        if len(part) <= self._limit:
            return part
        draw = self._next if self._epochs else self._anew
        drawn = draw(part, client, round, step)
        drawn.sort()
        return drawn

    def _least(self, held: int) -> int:
        """The smallest batch of a client with samples: by epochs what is left of a pass."""
        left = held % self._limit if self._epochs else 0
        return left or min(held, self._limit)

    def _anew(self, part: Int64, client: int, round: int, step: int) -> Int64:
        rng = self._streams.rng("batch", client, round, step)
        return part[rng.choice(len(part), self._limit, replace=False, shuffle=False)]

    def _next(self, part: Int64, client: int, round: int, step: int) -> Int64:
        epoch, place = divmod(step, -(-len(part) // self._limit))
        before = self._orders.get(client)
        if before is not None and before[0] == (round, epoch):
            order = before[1]
        else:
            order = self._streams.rng("epoch", client, round, epoch).permutation(part)
            self._orders[client] = (round, epoch), order
        first = place * self._limit
        return order[first : first + self._limit].copy()
