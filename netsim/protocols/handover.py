"""Moving what is remembered of coordinates to their new owners when masks are redrawn."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from netsim.protocols.base import Context
from netsim.protocols.vector import Vector
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.shards import Shards

Int64 = npt.NDArray[np.int64]


class Handover:
    """Who holds s_(a) and the optimiser's memory of each coordinate, and the messages that move
    them to a new owner.

    Each aggregator sends each other one the values of the coordinates that change hands (kind
    ``handover``).  What fails stays with its holder, who tries again next round.
    """

    def __init__(
        self,
        carried: Callable[[], list[Deferred[Vector]]],
        owners: Sequence[int],
        context: Context,
    ) -> None:
        self._carried = carried
        self._owners = owners
        self._context = context
        self._holder_n: Int64 | None = None
        self._plans: dict[int, list[list[Int64]]] = {}

    async def run(self, a: int, shards: Shards, round: int) -> bool:
        """Aggregator ``a`` hands over and takes over; whether it now holds all of its shard."""
        moves = self._plan(shards, round)
        node = self._context.nodes[self._owners[a]]
        to = [b for b in range(shards.count) if b != a and len(moves[a][b])]
        since = [b for b in range(shards.count) if b != a and len(moves[b][a])]
        payloads = [self._payload(moves[a][b]) for b in to]
        sending = node.scatter([self._owners[b] for b in to], payloads, "handover", round)
        arrivals = await node.gather([self._owners[b] for b in since], "handover", round)
        assert self._holder_n is not None
        arrived = set(arrivals.senders)
        for b in since:
            if self._owners[b] in arrived:
                self._holder_n[moves[b][a]] = a
        await sending
        return not arrivals.failed

    def _plan(self, shards: Shards, round: int) -> list[list[Int64]]:
        """The coordinates each aggregator hands each other, drawn up once a round."""
        if round not in self._plans:
            owner_n = shards.owner_of()
            if self._holder_n is None:
                self._holder_n = owner_n.copy()
            pair_n = self._holder_n * shards.count + owner_n
            order = np.argsort(pair_n, kind="stable")
            ends = np.searchsorted(pair_n[order], np.arange(1, shards.count**2))
            cells = np.split(order, ends)
            self._plans = {
                round: [
                    cells[a * shards.count : (a + 1) * shards.count] for a in range(shards.count)
                ]
            }
        return self._plans[round]

    def _payload(self, coordinates: Int64) -> object:
        carried = self._carried()

        def values() -> Vector:
            return np.concatenate([each.value()[coordinates] for each in carried])

        value = self._context.task.defer(values)
        return Dense().payload(value, len(carried) * len(coordinates))
