"""The client's side of the pipeline."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import final

from netsim.protocols.vector import Vector
from netsim.wire.deferred import Deferred


class Step(ABC):
    """One change a client makes to its update, over all coordinates and before any cut."""

    @abstractmethod
    def run(self, update: Deferred[Vector], client: int, round: int) -> Deferred[Vector]:
        """The update after the step, computed when needed."""

    def start(self, client: int, model: Deferred[Vector]) -> Deferred[Vector]:
        """The model the client trains from when it holds ``model``."""
        return model


class VectorStep(Step):
    """A step that looks at nothing but the update."""

    @abstractmethod
    def apply(self, update: Vector, client: int, round: int) -> Vector:
        """The update after the step; a new vector, or the same where nothing changes."""

    def run(self, update: Deferred[Vector], client: int, round: int) -> Deferred[Vector]:
        return Deferred(lambda: self.apply(update.value(), client, round))


@final
class Pipeline:
    """Steps one after the other; what coding and shifting add is undone at the aggregator."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps

    def start(self, client: int, model: Deferred[Vector]) -> Deferred[Vector]:
        """The model the client trains from when it holds ``model``."""
        for step in self._steps:
            model = step.start(client, model)
        return model

    def run(self, update: Deferred[Vector], client: int, round: int) -> Deferred[Vector]:
        """The update after all steps, computed when needed."""
        for step in self._steps:
            update = step.run(update, client, round)
        return update
