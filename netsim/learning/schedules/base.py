"""What every schedule is."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from netsim.scenario.config import Config


class Schedule(Config, ABC):
    """A rule for the learning rate; ``watches``: it depends on how good the models are."""

    kind: str
    watches: ClassVar[bool] = False

    @abstractmethod
    def rate(self, lr: float, scores: Sequence[float]) -> float:
        """The learning rate after these ``scores``, one each time models were tested.

        ``lr`` is the first; of scores more is better.
        """
