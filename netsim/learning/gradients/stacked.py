"""Clients in the lanes of one batched computation, each with parameters of its own."""

from collections.abc import Sequence
from typing import ClassVar, final

import torch
from torch import Tensor
from torch.func import functional_call, vmap

from netsim.learning.base import Int64
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.batch import padded
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.problem import Problem

_WIDEST = 10


@final
class Stacked(Gradients):
    """``vmap`` over parameters and samples; every batch is padded to ``batch`` samples."""

    name: ClassVar = "stacked"

    def __init__(self, problem: Problem, width: int, batch: int) -> None:
        assert not problem.model.lone
        self.width = width
        self._problem = problem
        self._batch = batch
        self._forward = vmap(self._outputs)

    @staticmethod
    def of(problem: Problem, load: Load) -> "Stacked | None":
        """As in the base class."""
        if problem.model.lone:
            return None
        return Stacked(problem, load.width(_WIDEST), load.largest)

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        batch = padded(rows, self._batch)
        own_WN = params_WN.contiguous()
        parts = [p.detach().requires_grad_() for p in self._problem.model.parts(own_WN)]
        outputs_WB = self._forward(parts, self._problem.inputs[batch.index_LB])
        labels_WB = self._problem.labels[batch.index_LB]
        each = self._problem.objective.losses(outputs_WB.flatten(0, 1), labels_WB.flatten(0, 1))
        losses_W = (each.view_as(batch.weights_LB) * batch.weights_LB).sum(1)
        gradients = torch.autograd.grad(losses_W.sum(), parts)
        return Estimate(torch.cat([g.flatten(1) for g in gradients], 1), losses_W.detach())

    def _outputs(self, parts: list[Tensor], inputs: Tensor) -> Tensor:
        named = dict(zip(self._problem.model.layout.names, parts, strict=True))
        outputs: Tensor = functional_call(self._problem.model.module, named, (inputs,))
        return outputs
