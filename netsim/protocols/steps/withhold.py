"""Keeping to oneself what is not sent."""

from typing import final

import numpy as np

from netsim.learning.base import Task
from netsim.protocols.steps.base import Step
from netsim.protocols.vector import Vector, descend
from netsim.wire.compressors.pruned import Pruned
from netsim.wire.deferred import Deferred


@final
class Withhold(Step):
    """Pseudo-pruning: a client trains on from its own values where it sent nothing.

    What ``pruned`` leaves out of an update is added to the client's own copy alone; the next
    local training starts there from the local value, elsewhere from the global model.
    """

    def __init__(self, task: Task, pruned: Pruned) -> None:
        self._task = task
        self._pruned = pruned
        self._started: dict[int, Deferred[Vector]] = {}
        self._updates: dict[int, tuple[Deferred[Vector], float]] = {}

    def start(self, client: int, model: Deferred[Vector]) -> Deferred[Vector]:
        begun, made = self._started.get(client), self._updates.get(client)
        if begun is not None and made is not None:
            model = self._mixed(model, begun, *made)
        self._started[client] = model
        return model

    def run(self, update: Deferred[Vector], client: int, round: int) -> Deferred[Vector]:
        self._updates[client] = update, self._task.rate(round)
        return update

    def _mixed(
        self,
        shared: Deferred[Vector],
        begun: Deferred[Vector],
        update: Deferred[Vector],
        lr: float,
    ) -> Deferred[Vector]:
        def mixed() -> Vector:
            own = descend(begun.value(), lr, update.value())
            return np.where(self._pruned.withheld(update.value()), own, shared.value())

        return self._task.defer(mixed)
