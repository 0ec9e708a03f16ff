"""One client after the other."""

from collections.abc import Sequence
from typing import final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from netsim.learning.base import Int64
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.problem import Problem


@final
class Loop(Gradients):
    """Plain autograd with a single lane, so that nothing is padded."""

    width = 1

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.n = problem.model.layout.size

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        (row,) = rows
        assert row is not None
        model, index = self._problem.model, torch.from_numpy(row)
        model.flat.copy_(params_WN[0])
        outputs = model.module(self._problem.inputs[index])
        loss = cross_entropy(outputs, self._problem.labels[index])
        parts = torch.autograd.grad(loss, model.parameters)
        gradient = torch.cat([part.flatten() for part in parts])
        return Estimate(gradient[None], loss.detach()[None])
