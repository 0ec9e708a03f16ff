"""A task with real values: gradients computed when they are needed."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, final
from weakref import ref

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation, Float32, Int64, Task
from netsim.learning.block import Job
from netsim.learning.config import TaskConfig
from netsim.learning.layout import Layout
from netsim.wire.deferred import Deferred

if TYPE_CHECKING:
    from netsim.learning.evaluator import Evaluator
    from netsim.learning.local import LocalTraining
    from netsim.learning.rates import Rates

T = TypeVar("T")


@final
class TrainingTask(Task):
    """Clients that train a model on their parts of a dataset.

    An update is computed when it is read, in a block with others that wait; block and lane
    never show in its bits. Attributes as in Task, for K clients and N parameters.
    """

    values = True

    def __init__(
        self,
        config: TaskConfig,
        initial: Float32,
        layout: Layout,
        rates: "Rates",
        samples: Int64,
        gradients: str,
        training: "LocalTraining",
        evaluator: "Evaluator",
    ) -> None:
        self.n = layout.size
        self.statistics = layout.size - layout.trained
        self.metric = rates.metric
        self.clients = len(samples)
        self.samples = samples
        self.lr = config.lr
        self._rates = rates
        self.initial = Deferred.of(initial)
        self._config = config
        self.gradients = gradients
        self._training = training
        self._evaluator = evaluator
        self._remembers = config.momentum > 0 or config.estimator.remembers
        self._last_round = dict[int, int]()
        self._waiting = dict[int, Callable[[], Job | None]]()

    @staticmethod
    def build(
        config: TaskConfig,
        clients: int,
        streams: Streams,
        folder: Path | None = None,
        test_samples: int | None = None,
    ) -> "TrainingTask":
        """The task of a scenario; ``folder`` holds the dataset if it is not where they are kept.

        Models are tested on ``test_samples`` of the test set, always the same, or on all of it.
        Raises DatasetMissing, DatasetCorrupt or Infeasible.
        """
        from netsim.learning.build import build

        return build(config, clients, streams, folder, test_samples)

    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """As in the base class; ``model`` is needed at once.

        With momentum, SVRG or SAGA an earlier update of the client that still waits is computed
        first and its TrainingDiverged raised here.
        """
        assert round > self._last_round.get(client, -1), f"client {client}: round {round} again"
        self._last_round[client] = round
        # Needed now lest rounds nobody reads pile up, each a level deep in the next one's call.
        start = model.value()
        if not self.samples[client]:
            return Deferred.of(np.zeros(self.n, np.float32))
        before = self._waiting.pop(client, None)
        if before is not None and self._remembers and (earlier := before()) is not None:
            self._read(earlier)
        job = Job(client, round, start)
        # An update that nobody can read any more still advances what its client remembers.
        self._waiting[client] = (lambda: job) if self._remembers else ref(job)
        return Deferred(lambda: self._read(job))

    def rate(self, round: int) -> float:
        """As in the base class."""
        return self._rates(round)

    def observe(self, round: int, evaluations: Sequence[Evaluation]) -> None:
        """As in the base class."""
        self._rates.observe(round, evaluations)

    def appearances(self, client: int) -> tuple[int, float]:
        """As in the base class: a pass uses every sample, and what SVRG and SAGA remember too."""
        config, held = self._config, int(self.samples[client])
        if config.local_epochs is not None:
            return config.local_epochs, 1.0
        share = 1.0 if config.estimator.remembers else config.batch_of(held) / held
        return config.steps_of(held), share

    def step_weight(self, client: int) -> float:
        """Local steps, each counted as often as momentum repeats it."""
        momentum, held = self._config.momentum, int(self.samples[client])
        steps = self._config.steps_of(held) if held else 0
        return sum((1 - momentum**left) / (1 - momentum) for left in range(1, steps + 1))

    def state(self) -> Mapping[str, Float32]:
        """What clients remember, after all updates that wait to be computed."""
        for job in self._jobs() if self._remembers else ():
            if job.outcome is None:
                self._training.run(self._lanes(job))
        return self._training.state()

    def restore(self, state: Mapping[str, Float32]) -> None:
        """As in the base class."""
        self._training.restore(state)

    def evaluate(
        self, models: Sequence[Deferred[Float32]], nodes: Sequence[int] | None = None
    ) -> list[Evaluation]:
        """As in the base class; raises ModelDiverged if a loss is not finite."""
        return self._evaluator(models, nodes)

    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """A value that ``compute`` gives when it is needed."""
        return Deferred(compute)

    def _jobs(self) -> list[Job]:
        """Those that wait and that somebody may still read, the longest first."""
        return [job for alive in self._waiting.values() if (job := alive()) is not None]

    def _read(self, job: Job) -> Float32:
        if job.outcome is None:
            self._training.run(self._lanes(job))
        return job.result()

    def _lanes(self, job: Job) -> list[Job | None]:
        """``job`` and, in each other lane, the job that has waited longest; none waits then."""
        width = self._training.width
        lanes: list[Job | None] = [None] * width
        lanes[job.client % width] = job
        waiting = self._jobs()
        for other in waiting:
            lane = other.client % width
            lanes[lane] = lanes[lane] or other
        for other in waiting:
            if lanes[other.client % width] is other:
                del self._waiting[other.client]
        return lanes
