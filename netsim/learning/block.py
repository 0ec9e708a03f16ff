"""Updates that wait to be computed, and those computed together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from netsim.learning.base import Float32
from netsim.learning.errors import TrainingDiverged

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(eq=False, slots=True, weakref_slot=True)
class Job:
    """The local training of a client in a round, from ``params`` Float32[N]; its outcome, once."""

    client: int
    round: int
    params: Float32
    outcome: Float32 | TrainingDiverged | None = None

    def result(self) -> Float32:
        """The update, once there is an outcome; raises TrainingDiverged if that is what it is."""
        assert self.outcome is not None
        if isinstance(self.outcome, TrainingDiverged):
            raise self.outcome
        return self.outcome


@dataclass
class Block:
    """Up to W jobs in fixed lanes, in the midst of their local steps.

    A client's lane is always the same and results of one lane never depend on the others, so a
    client's bits are the same whoever shares its block. An empty lane is None, with parameters
    of zero and no steps; ``steps`` is how many each lane takes.
    """

    lanes: Sequence[Job | None]
    steps: Sequence[int]
    params_WN: "Tensor"

    def at(self, step: int) -> list[Job | None]:
        """The jobs that take this step, in their lanes."""
        return [
            job if step < steps else None for job, steps in zip(self.lanes, self.steps, strict=True)
        ]

    def done(self, step: int) -> list[int]:
        """The lanes whose jobs have taken all their steps before this one."""
        return [lane for lane, steps in enumerate(self.steps) if 0 < steps <= step]
