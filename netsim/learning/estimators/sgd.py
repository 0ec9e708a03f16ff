"""The gradient on a mini-batch."""

from typing import TYPE_CHECKING, Literal, final

from netsim.learning.estimators.base import Estimator

if TYPE_CHECKING:
    from netsim.learning.block import Block
    from netsim.learning.gradients import Estimate, Gradients
    from netsim.learning.sampling import Batches


@final
class Sgd(Estimator):
    """The mean gradient over a batch drawn anew each step; exact with ``batch: full``."""

    kind: Literal["sgd"] = "sgd"

    def estimate(
        self, gradients: "Gradients", batches: "Batches", block: "Block", step: int
    ) -> "Estimate":
        """As in the base class."""
        rows = [
            None if job is None else batches.draw(job.client, job.round, step)
            for job in block.lanes
        ]
        return gradients(block.params_WN, rows)
