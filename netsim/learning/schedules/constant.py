"""Always the same learning rate."""

from collections.abc import Sequence
from typing import Literal, final

from netsim.learning.schedules.base import Schedule


@final
class Constant(Schedule):
    """The rate of the task in every round."""

    kind: Literal["constant"] = "constant"

    def rate(self, lr: float, scores: Sequence[float]) -> float:
        """As in the base class."""
        return lr
