"""A learning rate that falls where models get no better."""

from collections.abc import Sequence
from typing import ClassVar, Literal, final

from pydantic import Field

from netsim.learning.schedules.base import Schedule


@final
class Plateau(Schedule):
    """Times ``factor`` each time that models were tested ``patience`` times without a gain.

    What counts is accuracy (or the task's own metric) on what is held out or, without that, on
    the test set; a gain is more than the best so far by over ``threshold``.  Never under
    ``least``.  Needs rounds that end together.  Source: CEPAM, Section V-A, for factor and
    patience.
    """

    kind: Literal["plateau"] = "plateau"
    watches: ClassVar[bool] = True
    factor: float = Field(default=0.5, gt=0, lt=1)
    patience: int = Field(default=10, ge=1)
    threshold: float = Field(default=0.0, ge=0)
    least: float = Field(default=0.0, ge=0)

    def rate(self, lr: float, scores: Sequence[float]) -> float:
        """As in the base class."""
        best, waited = float("-inf"), 0
        for score in scores:
            if score > best + self.threshold:
                best, waited = score, 0
                continue
            waited += 1
            if waited == self.patience:
                lr, waited = max(lr * self.factor, min(lr, self.least)), 0
        return lr
