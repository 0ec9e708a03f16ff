"""How long local training takes in virtual time."""

from abc import abstractmethod
from typing import Literal

from netsim.scenario.config import Config
from netsim.scenario.units import Duration


class Compute(Config):
    """The virtual time of one client's local training in one round."""

    kind: str

    @abstractmethod
    def time_s(self, samples: int) -> float:
        """Seconds for a client that computes the gradients of ``samples`` samples."""


class NoTime(Compute):
    """Training takes no time: what formulas of distribution time assume."""

    kind: Literal["none"] = "none"

    def time_s(self, samples: int) -> float:
        return 0.0


class PerRound(Compute):
    """The same ``time`` for every client."""

    kind: Literal["per_round"] = "per_round"
    time: Duration

    def time_s(self, samples: int) -> float:
        return self.time


class PerSample(Compute):
    """``time`` for each sample of each local step, and each other one an estimator looks at."""

    kind: Literal["per_sample"] = "per_sample"
    time: Duration

    def time_s(self, samples: int) -> float:
        return self.time * samples


COMPUTES = (NoTime, PerRound, PerSample)
