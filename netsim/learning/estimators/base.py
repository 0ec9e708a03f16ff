"""What every estimator is."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from netsim.scenario.config import Config

if TYPE_CHECKING:
    from netsim.learning.block import Block
    from netsim.learning.gradients import Estimate, Gradients
    from netsim.learning.sampling import Batches


class Estimator(Config, ABC):
    """A way to estimate the gradients of the clients of a block.

    Shapes: W lanes, N parameters.
    """

    kind: str

    @abstractmethod
    def estimate(
        self, gradients: "Gradients", batches: "Batches", block: "Block", step: int
    ) -> "Estimate":
        """Gradients and losses of the block's clients at its parameters, for a local step.

        A lane's result depends on its own client alone.
        """
