"""All lanes as one batch, layer by layer, with a matrix product for each lane's weights."""

from collections.abc import Sequence
from typing import ClassVar, final

import torch
from torch import Tensor

from netsim.learning.base import Int64
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.batch import Batch, padded, pieces
from netsim.learning.gradients.lanes import Layer, layers_of
from netsim.learning.gradients.lanes.loss import cross_entropy
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.problem import Problem
from netsim.learning.objectives import Classification

_WIDEST = 64
_NUMBERS_AT_ONCE = 1_600_000
_GRADIENTS_AT_ONCE = 2_000_000


@final
class Products(Gradients):
    """Forward and backward through plain layers, without autograd.

    Lanes may have different parameters. With several, batches are padded to the largest; a
    single one takes a large batch in pieces.
    """

    name: ClassVar = "products"

    def __init__(self, problem: Problem, layers: Sequence[Layer], load: Load) -> None:
        self._problem = problem
        self._layers = layers
        numbers = max(layer.numbers for layer in layers)
        self._batch = load.largest
        self._piece = max(1, _NUMBERS_AT_ONCE // numbers)
        widest = min(
            _WIDEST, self._piece // load.largest, _GRADIENTS_AT_ONCE // problem.model.layout.size
        )
        self.width = load.width(widest) if load.even else 1

    @staticmethod
    def of(problem: Problem, load: Load) -> "Products | None":
        """None for a model of other layers than it knows, or another task than classes."""
        layers = layers_of(problem.model.module, tuple(problem.inputs.shape[1:]))
        if layers is None or not isinstance(problem.objective, Classification):
            return None
        return Products(problem, layers, load)

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        if self.width > 1:
            return self._estimate(params_WN, padded(rows, self._batch))
        (row,) = rows
        assert row is not None
        first, *others = (self._estimate(params_WN, part) for part in pieces(row, self._piece))
        for other in others:
            first.gradients_WP.add_(other.gradients_WP)
            first.losses_W.add_(other.losses_W)
        return first

    def _estimate(self, params_WN: Tensor, batch: Batch) -> Estimate:
        parts = self._problem.model.parts(params_WN)
        gradients_WP = torch.empty(params_WN.shape)
        into = self._problem.model.parts(gradients_WP)
        x, at, backwards = batch.of(self._problem.inputs).movedim(1, -1), 0, []
        for layer in self._layers:
            mine = slice(at, at := at + layer.parameters)
            x, backward = layer.forward(x, parts[mine])
            backwards.append((backward, into[mine]))
        labels_LB = self._problem.labels[batch.index_LB]
        losses_W, at_x = cross_entropy(x, labels_LB, batch.weights_LB)
        for depth, (backward, mine_into) in reversed(list(enumerate(backwards))):
            given = backward(at_x, mine_into, depth > 0)
            at_x = at_x if given is None else given
        return Estimate(gradients_WP, losses_W, torch.zeros(len(losses_W), 0))
