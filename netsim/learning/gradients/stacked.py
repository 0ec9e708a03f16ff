"""Clients in the lanes of one batched computation."""

from collections.abc import Sequence
from typing import final

import torch
from torch import Tensor
from torch.func import functional_call, vmap

from netsim.learning.base import Int64
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.problem import Problem


@final
class Stacked(Gradients):
    """``vmap`` over lanes; every batch is padded to ``batch`` samples, which weigh nothing.

    For modules that are not ``lone``, so without running statistics.
    """

    def __init__(self, problem: Problem, width: int, batch: int) -> None:
        assert not problem.model.lone
        self.width = width
        self._problem = problem
        self._batch = batch
        self._forward = vmap(self._outputs)

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        index_WB, weights_WB = self._padded(rows)
        parts = [p.detach().requires_grad_() for p in self._problem.model.parts(params_WN)]
        outputs_WB = self._forward(parts, self._problem.inputs[index_WB])
        labels_WB = self._problem.labels[index_WB]
        each = self._problem.objective.losses(outputs_WB.flatten(0, 1), labels_WB.flatten(0, 1))
        losses_W = (each.view_as(weights_WB) * weights_WB).sum(1)
        gradients = torch.autograd.grad(losses_W.sum(), parts)
        return Estimate(torch.cat([g.flatten(1) for g in gradients], 1), losses_W.detach())

    def _outputs(self, parts: list[Tensor], inputs: Tensor) -> Tensor:
        named = dict(zip(self._problem.model.layout.names, parts, strict=True))
        outputs: Tensor = functional_call(self._problem.model.module, named, (inputs,))
        return outputs

    def _padded(self, rows: Sequence[Int64 | None]) -> tuple[Tensor, Tensor]:
        index_WB = torch.zeros(self.width, self._batch, dtype=torch.int64)
        weights_WB = torch.zeros(self.width, self._batch)
        for lane, row in enumerate(rows):
            if row is not None:
                index_WB[lane, : len(row)] = torch.from_numpy(row)
                weights_WB[lane, : len(row)] = 1 / len(row)
        return index_WB, weights_WB
