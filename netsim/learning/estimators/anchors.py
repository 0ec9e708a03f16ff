"""SVRG at work."""

from collections.abc import Mapping
from typing import NamedTuple, final

import torch
from torch import Tensor

from netsim.learning.block import Block, Job
from netsim.learning.estimators.base import Estimates
from netsim.learning.gradients import Estimate
from netsim.learning.oracle import Oracle


class Anchor(NamedTuple):
    """A client's parameters at one time, and its full gradient there."""

    params_N: Tensor
    gradient_N: Tensor


@final
class Anchors(Estimates):
    """Each client's anchor, renewed at the start of every ``period``-th round."""

    def __init__(self, oracle: Oracle, period: int) -> None:
        self._oracle = oracle
        self._period = period
        self._anchors: dict[int, Anchor] = {}

    def __call__(self, block: Block, step: int) -> Estimate:
        """As in the base class."""
        rows = self._oracle.drawn(block, step)
        renewed: dict[int, Estimate] = {}
        for lane, job in enumerate(block.at(step)):
            if job is not None and self._due(job, step):
                params_1N = block.params_WN[lane : lane + 1].clone()
                renewed[lane] = whole = self._oracle.whole(params_1N, job.client)
                self._anchors[job.client] = Anchor(params_1N[0], whole.gradients_WN[0])
                rows[lane] = None
        width, statistics_WM = len(rows), None
        gradients_WN, losses_W = torch.zeros(block.params_WN.shape), torch.zeros(width)
        if any(row is not None for row in rows):
            anchors_WN, full_WN = self._side_by_side(block)
            # What a module draws, such as dropout's masks, is the same at both.
            chance = torch.get_rng_state()
            here = self._oracle.gradients(block.params_WN, rows)
            torch.set_rng_state(chance)
            there = self._oracle.gradients(anchors_WN, rows)
            gradients_WN = here.gradients_WN - there.gradients_WN + full_WN
            losses_W, statistics_WM = here.losses_W.clone(), here.statistics_WM
        for lane, whole in renewed.items():
            gradients_WN[lane], losses_W[lane] = whole.gradients_WN[0], whole.losses_W[0]
            if whole.statistics_WM is not None:
                if statistics_WM is None:
                    statistics_WM = torch.zeros(width, whole.statistics_WM.shape[1])
                statistics_WM[lane] = whole.statistics_WM[0]
        return Estimate(gradients_WN, losses_W, statistics_WM)

    def state(self) -> Mapping[str, Tensor]:
        """Each client's anchor, Float32[2, N]."""
        return {str(client): torch.stack(anchor) for client, anchor in self._anchors.items()}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """As in the base class."""
        self._anchors = {int(client): Anchor(*each) for client, each in state.items()}

    def _due(self, job: Job, step: int) -> bool:
        return step == 0 and (job.round % self._period == 0 or job.client not in self._anchors)

    def _side_by_side(self, block: Block) -> tuple[Tensor, Tensor]:
        """The clients' anchors and the gradients there, in their lanes."""
        params_WN, full_WN = (torch.zeros(block.params_WN.shape) for _ in range(2))
        for lane, job in enumerate(block.lanes):
            if job is not None:
                params_WN[lane], full_WN[lane] = self._anchors[job.client]
        return params_WN, full_WN
