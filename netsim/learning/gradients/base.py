"""What every computing mode is.

Shapes: W lanes, P trained parameters, M running statistics, N = P + M, B samples of a batch.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from netsim.learning.base import Int64


class Estimate(NamedTuple):
    """Gradient, loss and new running statistics of each lane; empty lanes mean nothing."""

    gradients_WP: Tensor
    losses_W: Tensor
    statistics_WM: Tensor


class Gradients(ABC):
    """Gradients of the mean loss of clients side by side in ``width`` lanes."""

    width: int

    @abstractmethod
    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """Each lane's gradient at its parameters on its ``rows`` of the training samples.

        Lanes without rows are empty. Called on one thread.
        """
