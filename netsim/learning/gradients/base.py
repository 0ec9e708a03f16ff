"""What every strategy is.

Shapes: W lanes, N coordinates, of them M running statistics, the last ones, B samples of a batch.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from torch import Tensor

from netsim.learning.base import Int64
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.problem import Problem


class Estimate(NamedTuple):
    """The gradient and the loss of each lane; what stands in empty lanes means nothing.

    Gradients are zero in the running statistics; ``statistics_WM`` are those after the batch,
    None where a model has none.
    """

    gradients_WN: Tensor
    losses_W: Tensor
    statistics_WM: Tensor | None = None


class Gradients(ABC):
    """Gradients of the mean loss of clients side by side in ``width`` lanes.

    The bits of a lane depend on its own parameters and samples, never on the other lanes.
    Strategies differ in their last bits.
    """

    name: ClassVar[str]
    width: int

    @staticmethod
    @abstractmethod
    def of(problem: Problem, load: Load) -> "Gradients | None":
        """The strategy set up for a task; None for a model that it cannot serve."""

    @abstractmethod
    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """Each lane's gradient at its parameters on its ``rows`` of the training samples.

        Lanes without rows are empty.  Lanes may share the memory of their parameters.  Called
        on one thread.
        """
