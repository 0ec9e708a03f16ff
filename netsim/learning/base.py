"""What protocols know of learning."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from netsim.learning.metrics import METRIC, Metric
from netsim.wire.deferred import Deferred

T = TypeVar("T")
Float32 = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a model is worth on the test set: mean loss, share of right answers, other metrics.

    ``accuracy`` is None where answers are not right or wrong; ``validation`` is the same on what
    was held out of the training samples, if anything was.
    """

    loss: float
    accuracy: float | None
    others: Mapping[str, float] = field(default_factory=dict)
    validation: "Evaluation | None" = None

    def value(self, metric: Metric) -> float:
        """What ``metric`` says of it."""
        if metric.name == "accuracy":
            assert self.accuracy is not None, "no accuracy"
            return self.accuracy
        return self.others[metric.name]


class Task(ABC):
    """The learning side of one run.  Shapes: K clients, n parameters.

    ``samples`` is Int64[K], and a client with none is left out; ``initial`` the model all start
    from, Float32[n]; ``lr`` the first learning rate.  The last ``statistics`` of the n
    coordinates are no parameters but running statistics of batch normalisation.  ``metric`` is
    what models are compared by.  ``values`` is False for volume payloads, which have sizes only.
    ``gradients`` names the strategy that computes gradients, where it has any.
    """

    n: int
    statistics: int = 0
    clients: int
    samples: Int64
    initial: Deferred[Float32]
    lr: float
    metric: Metric = METRIC["class"]
    values: bool
    gradients: str | None = None

    @abstractmethod
    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """The sum of the directions of the client's local steps from ``model``, Float32[n].

        So it is the gradient itself for one step without momentum, and zero for a client
        without samples.  A client's updates are asked for once a round, in the order of the
        rounds.  Reading one that is not finite raises TrainingDiverged.
        """

    def rate(self, round: int) -> float:
        """The learning rate of a round, known when it begins."""
        return self.lr

    def observe(self, round: int, evaluations: Sequence[Evaluation]) -> None:
        """The models after a round are worth that; later rounds may have another rate."""
        return

    def appearances(self, client: int) -> tuple[int, float]:
        """How many steps of a round a sample may take part in, and the chance to do so in each."""
        return 1, 1.0

    def step_weight(self, client: int) -> float:
        """How much the client's update weighs against one gradient: ‖a_k‖₁ of FedNova.

        The number of its local steps, more with momentum; 1 unless a task says otherwise.
        """
        return 1.0

    @abstractmethod
    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """A value made from others, computed when first needed."""

    def state(self) -> Mapping[str, Float32]:
        """What it remembers of all updates asked for so far, by name."""
        return {}

    def restore(self, state: Mapping[str, Float32]) -> None:
        """Go on from what another task of the same kind remembered."""
        assert not state, "a task that remembers nothing"

    @abstractmethod
    def evaluate(
        self, models: Sequence[Deferred[Float32]], nodes: Sequence[int] | None = None
    ) -> list[Evaluation]:
        """Each model on the test set, and on what its node holds out.

        ``nodes`` says whose they are, None that they are everybody's.  Raises ModelDiverged if a
        loss is not finite.
        """
