"""When models are tested, and whose."""

from collections.abc import Sequence

from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation, Task
from netsim.learning.errors import ModelDiverged
from netsim.protocols.vector import Vector
from netsim.studies.scenario import Scenario
from netsim.wire.deferred import Deferred


class Evaluating:
    """The ``evaluate:`` section of a scenario at work; rounds are asked about in order."""

    def __init__(self, scenario: Scenario) -> None:
        self._config = scenario.evaluate
        self._last = scenario.rounds - 1
        self._streams = Streams(scenario.seed)
        self._interval = 0

    def is_due(self, round: int, end_s: float) -> bool:
        """Whether models are tested after a round that ended at ``end_s``."""
        if self._config.interval is None:
            due = (round + 1) % self._config.every == 0
        else:
            interval = int(end_s // self._config.interval)
            due, self._interval = interval > self._interval, interval
        return due or round == self._last

    def evaluate(self, task: Task, models: Sequence[Deferred[Vector]]) -> list[Evaluation]:
        """The global model, or those of some or all nodes; raises ModelDiverged."""
        if len(models) == 1:
            return task.evaluate(models)
        nodes = self._nodes(len(models))
        try:
            return task.evaluate([models[node] for node in nodes], nodes)
        except ModelDiverged as error:
            raise ModelDiverged(nodes[error.model]) from error

    def _nodes(self, count: int) -> list[int]:
        some = self._config.models
        if some is None or some >= count:
            return list(range(count))
        rng = self._streams.rng("tested models")
        return sorted(rng.choice(count, some, replace=False).tolist())
