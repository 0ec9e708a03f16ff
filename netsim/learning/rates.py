"""The learning rate of each round."""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from netsim.learning.base import Evaluation
from netsim.learning.metrics import Metric
from netsim.learning.schedules import Schedule


class Rates:
    """A schedule at work: ``lr`` at first, then as the models' ``metric`` makes it: on what is
    held out if ``validated``, else on the test set."""

    def __init__(
        self, lr: float, schedule: Schedule, metric: Metric, validated: bool = False
    ) -> None:
        self.metric = metric
        self._validated = validated
        self._lr = lr
        self._schedule = schedule
        self._scores: list[float] = []
        self._first_rounds, self._rates = [0], [lr]

    def __call__(self, round: int) -> float:
        """The rate of a round, by what was observed before it."""
        return self._rates[bisect_right(self._first_rounds, round) - 1]

    def observe(self, round: int, evaluations: Sequence[Evaluation]) -> None:
        """What the models after a round are worth; nothing where they have nothing to tell by."""
        judged = [each.validation for each in evaluations] if self._validated else evaluations
        values = [each.value(self.metric) for each in judged if each is not None]
        if not values:
            return
        self._scores.append(float(np.mean(values)) * (1 if self.metric.rises else -1))
        rate = self._schedule.rate(self._lr, self._scores)
        if rate != self._rates[-1]:
            self._first_rounds.append(round + 1)
            self._rates.append(rate)
