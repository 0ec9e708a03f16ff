"""One client after the other."""

from collections.abc import Sequence
from typing import final

import torch
from torch import Tensor

from netsim.learning.base import Int64
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.problem import Problem


@final
class Loop(Gradients):
    """Plain autograd with a single lane, so that nothing is padded."""

    width = 1

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.layout = problem.model.layout

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        (row,) = rows
        assert row is not None
        model, index = self._problem.model, torch.from_numpy(row)
        model.load(params_WN[0].numpy())
        outputs = model.module(self._problem.inputs[index])
        loss = self._problem.objective.mean(outputs, self._problem.labels[index])
        # A user's module may have parameters that it does not use.
        parts = torch.autograd.grad(loss, model.parameters, materialize_grads=True)
        flat = [part.flatten() for part in parts]
        if not len(model.statistics):
            return Estimate(torch.cat(flat)[None], loss.detach()[None])
        gradient = torch.cat([*flat, torch.zeros_like(model.statistics)])
        return Estimate(gradient[None], loss.detach()[None], model.statistics.clone()[None])
