"""Updates that leave no client."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from netsim.learning.base import Task
from netsim.network.messages import Arrivals, Batch
from netsim.protocols.exchange import Exchange, Weigh, Weights
from netsim.protocols.vector import Vector, add_scaled, zeros
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards


@final
class WithheldExchange(Exchange):
    """Clients send empty messages; the sum of their updates is known without any being sent."""

    def __init__(self, task: Task, weigh: Weigh) -> None:
        super().__init__(task)
        self._weigh = weigh
        self._updates: dict[int, dict[int, Deferred[Vector]]] = {}
        self._at: dict[int, int] = {}

    def pieces(
        self, client: int, update: Deferred[Vector], shards: Shards, round: int
    ) -> list[Payload[Any]] | Batch:
        self._updates.setdefault(round, {})[client] = update
        nothing = Dense().payload(Deferred.of(np.zeros(0, np.float32)), 0)
        return [nothing] * shards.count

    def direction(
        self, a: int, shards: Shards, arrivals: Arrivals, round: int
    ) -> Deferred[Vector] | None:
        self._let_go(a, shards, round)
        if not arrivals:
            return None
        senders, updates = arrivals.senders, self._updates[round]
        weights = self._weigh(senders, round)
        return self.task.defer(lambda: self._sum(a, shards, senders, weights, updates))

    def payload_bits(self, shards: Shards) -> int:
        return 0

    def _let_go(self, a: int, shards: Shards, round: int) -> None:
        """Drop the updates of rounds that every owner is past, now that this one is at ``round``.

        Clients that stay away from rounds may be far ahead of the owners.
        """
        self._at[a] = round
        oldest = min(self._at.get(owner, 0) for owner in range(shards.count))
        self._updates = {at: kept for at, kept in self._updates.items() if at >= oldest}

    def _sum(
        self,
        a: int,
        shards: Shards,
        senders: Sequence[int],
        weights: Weights,
        updates: dict[int, Deferred[Vector]],
    ) -> Vector:
        total = zeros(int(shards.sizes[a]))
        for sender in senders:
            add_scaled(total, weights[sender], shards.take(updates[sender].value(), a))
        return total
