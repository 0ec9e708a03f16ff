"""One client after the other."""

from collections.abc import Sequence
from typing import ClassVar, final

import torch
from torch import Tensor, nn

from netsim.learning.base import Int64
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.problem import Problem

_WIDE = 32


@final
class Loop(Gradients):
    """Plain autograd with a single lane, so that nothing is padded; serves every model."""

    name: ClassVar = "loop"
    width = 1

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        wide = problem.inputs.dim() == 4 and any(
            isinstance(part, nn.Conv2d) and part.in_channels >= _WIDE
            for part in problem.model.module.modules()
        )
        # Convolutions of many channels are faster with channels side by side in memory.
        self._format = torch.channels_last if wide else torch.contiguous_format

    @staticmethod
    def of(problem: Problem, load: Load) -> "Loop":
        """As in the base class."""
        return Loop(problem)

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        (row,) = rows
        assert row is not None
        model, index = self._problem.model, torch.from_numpy(row)
        model.load(params_WN[0].numpy())
        inputs = self._problem.inputs[index].contiguous(memory_format=self._format)
        outputs = model.module(inputs)
        loss = self._problem.objective.mean(outputs, self._problem.labels[index])
        parts = torch.autograd.grad(loss, model.parameters)
        gradient = torch.cat([part.flatten() for part in parts])
        return Estimate(gradient[None], loss.detach()[None], model.statistics.clone()[None])
