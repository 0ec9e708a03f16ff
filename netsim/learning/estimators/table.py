"""SAGA at work."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
import torch
from torch import Tensor

from netsim.learning.block import Block, Job
from netsim.learning.estimators.base import Estimates
from netsim.learning.gradients import Estimate
from netsim.learning.oracle import Oracle


@dataclass
class Remembered:
    """The last gradient of each of a client's S samples, Float32[S, N], and their mean."""

    gradients_SN: Tensor
    mean_N: Tensor


@final
class Table(Estimates):
    """Each client's gradients, sample by sample."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._table: dict[int, Remembered] = {}

    def __call__(self, block: Block, step: int) -> Estimate:
        """As in the base class."""
        gradients_WN = torch.zeros(block.params_WN.shape)
        losses_W = torch.zeros(len(gradients_WN))
        for lane, job in enumerate(block.at(step)):
            if job is not None:
                estimate = self._begin if job.client not in self._table else self._go_on
                gradients_WN[lane], losses_W[lane] = estimate(block.params_WN[lane], job, step)
        return Estimate(gradients_WN, losses_W)

    def state(self) -> Mapping[str, Tensor]:
        """Each client's gradients, and their mean as the last row, Float32[S + 1, N]."""
        return {
            str(client): torch.cat([known.gradients_SN, known.mean_N[None]])
            for client, known in self._table.items()
        }

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """As in the base class."""
        self._table = {
            int(client): Remembered(each[:-1].clone(), each[-1].clone())
            for client, each in state.items()
        }

    def _begin(self, params_N: Tensor, job: Job, step: int) -> tuple[Tensor, Tensor]:
        """The full gradient, from all samples."""
        gradients_SN, losses_S, _ = self._oracle.each(params_N, self._oracle.batches.of(job.client))
        mean_N = gradients_SN.mean(0)
        self._table[job.client] = Remembered(gradients_SN, mean_N)
        return mean_N.clone(), losses_S.mean()

    def _go_on(self, params_N: Tensor, job: Job, step: int) -> tuple[Tensor, Tensor]:
        rows = self._oracle.batches.draw(job.client, job.round, step)
        places = torch.from_numpy(np.searchsorted(self._oracle.batches.of(job.client), rows))
        known = self._table[job.client]
        gradients_BN, losses_B, _ = self._oracle.each(params_N, rows)
        change_N = (gradients_BN - known.gradients_SN[places]).sum(0)
        estimate_N = change_N / len(rows) + known.mean_N
        known.gradients_SN[places] = gradients_BN
        known.mean_N += change_N / len(known.gradients_SN)
        return estimate_N, losses_B.mean()
