"""The client's side of the pipeline."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import final

from netsim.learning.base import Task
from netsim.protocols.vector import Vector
from netsim.wire.deferred import Deferred


class Step(ABC):
    """One change a client makes to its update, over all coordinates and before any cut."""

    @abstractmethod
    def apply(self, update: Vector, client: int, round: int) -> Vector:
        """The update after the step; a new vector, or the same where nothing changes."""

    def start(self, client: int, model: Deferred[Vector]) -> Deferred[Vector]:
        """The model the client trains from when it holds ``model``."""
        return model


@final
class Pipeline:
    """Steps one after the other; what coding and shifting add is undone at the aggregator."""

    def __init__(self, task: Task, steps: Sequence[Step]) -> None:
        self._task = task
        self._steps = steps

    def start(self, client: int, model: Deferred[Vector]) -> Deferred[Vector]:
        """The model the client trains from when it holds ``model``."""
        for step in self._steps:
            model = step.start(client, model)
        return model

    def run(self, update: Deferred[Vector], client: int, round: int) -> Deferred[Vector]:
        """The update after all steps, computed when needed."""
        if not self._steps:
            return update

        def changed() -> Vector:
            vector = update.value()
            for step in self._steps:
                vector = step.apply(vector, client, round)
            return vector

        return self._task.defer(changed)
