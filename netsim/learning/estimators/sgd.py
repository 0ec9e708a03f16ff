"""The gradient on a mini-batch."""

from typing import TYPE_CHECKING, Literal, final

from netsim.learning.estimators.base import Estimates, Estimator

if TYPE_CHECKING:
    from netsim.learning.block import Block
    from netsim.learning.gradients import Estimate
    from netsim.learning.oracle import Oracle


@final
class Sgd(Estimator):
    """The mean gradient over a batch; exact with ``batch: full``."""

    kind: Literal["sgd"] = "sgd"

    def start(self, oracle: "Oracle") -> Estimates:
        """As in the base class."""
        return BatchGradients(oracle)

    def work(self, round: int, begins: bool, samples: int, first: int, drawn: int) -> int:
        """As in the base class."""
        return drawn


@final
class BatchGradients(Estimates):
    """The gradients of the batches, side by side."""

    def __init__(self, oracle: "Oracle") -> None:
        self._oracle = oracle

    def __call__(self, block: "Block", step: int) -> "Estimate":
        """As in the base class."""
        return self._oracle.gradients(block.params_WN, self._oracle.drawn(block, step))
