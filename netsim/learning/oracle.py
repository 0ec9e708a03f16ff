"""What an estimator may ask of the clients' samples."""

from dataclasses import dataclass

import torch
from torch import Tensor

from netsim.learning.base import Int64
from netsim.learning.block import Block
from netsim.learning.gradients import Estimate, Gradients
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.stacked import Stacked
from netsim.learning.layout import Layout
from netsim.learning.sampling import Batches


@dataclass(frozen=True)
class Oracle:
    """Gradients of batches side by side, of all samples of one client, and of single samples.

    ``gradients`` has the lanes of a block; ``alone`` takes one client at a time and ``apart``
    one sample a lane, where samples can be taken one by one. Each result depends on its own
    parameters and samples alone.
    """

    batches: Batches
    gradients: Gradients
    alone: Loop
    apart: Stacked | None

    @property
    def layout(self) -> Layout:
        """Where parameters and running statistics lie."""
        return self.alone.layout

    def drawn(self, block: Block, step: int) -> list[Int64 | None]:
        """The batch of each lane that takes this step."""
        return [
            None if job is None else self.batches.draw(job.client, job.round, step)
            for job in block.at(step)
        ]

    def whole(self, params_1N: Tensor, client: int) -> Estimate:
        """The client's full gradient and loss, in one lane."""
        return self.alone(params_1N, [self.batches.of(client)])

    def each(self, params_N: Tensor, rows: Int64) -> Estimate:
        """Gradients and losses of these samples one by one, in as many lanes."""
        assert self.apart is not None
        width = self.apart.width
        params_LN = params_N.expand(width, -1)
        parts = [rows[first : first + width] for first in range(0, len(rows), width)]
        found = [_apart(self.apart, params_LN, part) for part in parts]
        gradients, losses, _ = zip(*found, strict=True)
        return Estimate(torch.cat(gradients), torch.cat(losses))


def _apart(apart: Stacked, params_LN: Tensor, rows: Int64) -> Estimate:
    lanes: list[Int64 | None] = [None] * apart.width
    lanes[: len(rows)] = [rows[at : at + 1] for at in range(len(rows))]
    gradients_LN, losses_L, _ = apart(params_LN, lanes)
    return Estimate(gradients_LN[: len(rows)], losses_L[: len(rows)])
