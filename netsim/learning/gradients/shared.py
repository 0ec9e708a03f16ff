"""Clients in the lanes of one batched computation, all at the same parameters."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, final

import torch
from torch import Tensor
from torch.func import functional_call, grad_and_value, vmap

from netsim.learning.base import Int64
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.batch import padded
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.problem import Problem

_WIDEST = 10


@final
class Shared(Gradients):
    """``vmap`` over samples alone; every batch is padded to the largest.

    Where lanes differ in their parameters the whole block is computed once for each model in
    it, so that a lane's bits stay what they are: fast for one local step from a global model.
    """

    name: ClassVar = "shared"

    def __init__(self, problem: Problem, load: Load) -> None:
        self.width = load.width(_WIDEST)
        self._problem = problem
        self._batch = load.largest
        self._lanes = vmap(grad_and_value(self._loss), in_dims=(None, 0, 0, 0))

    @staticmethod
    def of(problem: Problem, load: Load) -> "Shared | None":
        """As in the base class."""
        return None if problem.model.lone else Shared(problem, load)

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        batch = padded(rows, self._batch)
        inputs, labels = (of[batch.index_LB] for of in (self._problem.inputs, self._problem.labels))
        gradients_WN, losses_W = torch.zeros(params_WN.shape), torch.zeros(len(rows))
        held = [lane for lane, row in enumerate(rows) if row is not None]
        for lanes in _alike(params_WN, held):
            parts = [part.clone() for part in self._problem.model.parts(params_WN[lanes[0]])]
            gradients, losses = self._lanes(parts, inputs, labels, batch.weights_LB)
            gradients_WN[lanes] = torch.cat([g.flatten(1)[lanes] for g in gradients], 1)
            losses_W[lanes] = losses[lanes]
        return Estimate(gradients_WN, losses_W)

    def _loss(self, parts: list[Tensor], inputs: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
        named = dict(zip(self._problem.model.layout.names, parts, strict=True))
        outputs = functional_call(self._problem.model.module, named, (inputs,))
        return (self._problem.objective.losses(outputs, labels) * weights).sum()


def _alike(params_WN: Tensor, held: list[int]) -> Iterator[list[int]]:
    """The lanes that hold the same parameters, bit for bit."""
    if params_WN.stride(0) == 0:
        yield held
        return
    bits_WN = params_WN.view(torch.int32)
    while held:
        alike = [lane for lane in held if torch.equal(bits_WN[lane], bits_WN[held[0]])]
        yield alike
        held = [lane for lane in held if lane not in alike]
