"""Many lanes as one batch, layer by layer, with a matrix product for each lane's weights."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from operator import is_
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
from netsim.learning.threads import side_by_side

_WIDEST = 64
_FEW = 8
_NUMBERS_AT_ONCE = 4_200_000
_NUMBERS_A_THREAD = 500_000
_GRADIENTS_AT_ONCE = 2_000_000


@final
class Products(Gradients):
    """Forward and backward through plain layers, without autograd, in groups of lanes.

    Lanes may have different parameters.  In a group of several, batches are padded to the
    largest; in a group of one, a large batch is taken in pieces.  Groups are always the same,
    whatever the threads they are computed on.
    """

    name: ClassVar = "products"

    def __init__(self, problem: Problem, layers: Sequence[Layer], load: Load) -> None:
        self._problem = problem
        self._layers = layers
        self._batch = load.largest
        self.width = load.width(min(_WIDEST, _GRADIENTS_AT_ONCE // problem.model.layout.size))
        numbers = max(layer.numbers for layer in layers)
        self._piece = max(1, _NUMBERS_AT_ONCE // numbers)
        together = self._piece // load.largest if load.even else 1
        count = max(1, -(-self.width // max(1, together)))
        # Two at least, for two threads, unless that leaves few lanes in each or little work.
        half = self.width // 2
        if half >= _FEW and half * load.largest * numbers >= _NUMBERS_A_THREAD:
            count = max(2, count)
        # As many for one of two threads as for the other.
        if count > 1:
            count = min(count + count % 2, self.width)
        ends = [self.width * each // count for each in range(count + 1)]
        self.groups = [slice(*ends) for ends in pairwise(ends)]
        self._padded: dict[int, tuple[Sequence[Int64 | None], Batch]] = {}

    @staticmethod
    def of(problem: Problem, load: Load) -> "Products | None":
        """None for a model of other layers than it knows, or another task than classes; a user's
        own may have more to it than its layers show."""
        if problem.model.lone:
            return None
        layers = layers_of(problem.model.module, tuple(problem.inputs.shape[1:]))
        if layers is None or not isinstance(problem.objective, Classification):
            return None
        return Products(problem, layers, load)

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class."""
        fresh = torch.zeros if any(row is None for row in rows) else torch.empty
        gradients_WN, losses_W = fresh(params_WN.shape), torch.zeros(len(rows))
        work = [
            partial(self._group, params_WN, rows, lanes, gradients_WN[lanes], losses_W[lanes])
            for lanes in self.groups
            if any(row is not None for row in rows[lanes])
        ]
        side_by_side(work)
        return Estimate(gradients_WN, losses_W)

    def _group(
        self,
        params_WN: Tensor,
        rows: Sequence[Int64 | None],
        lanes: slice,
        gradients_LN: Tensor,
        losses_L: Tensor,
    ) -> None:
        """Writes the gradients and losses of a group of lanes."""
        params_LN = params_WN[lanes]
        if len(params_LN) > 1:
            batch = self._batch_of(rows[lanes], lanes.start)
            losses_L.copy_(self._estimate(params_LN, batch, gradients_LN))
            return
        (row,) = rows[lanes]
        assert row is not None
        first, *others = pieces(row, self._piece)
        losses_L.copy_(self._estimate(params_LN, first, gradients_LN))
        for other in others:
            more_LN = torch.empty(gradients_LN.shape)
            losses_L += self._estimate(params_LN, other, more_LN)
            gradients_LN += more_LN

    def _batch_of(self, rows: Sequence[Int64 | None], first: int) -> Batch:
        """The samples of the group that begins with lane ``first``: often those of last time."""
        before = self._padded.get(first)
        if before is not None and all(map(is_, rows, before[0])):
            return before[1]
        batch = padded(rows, self._batch)
        self._padded[first] = rows, batch
        return batch

    def _estimate(self, params_LN: Tensor, batch: Batch, gradients_LN: Tensor) -> Tensor:
        """Writes the gradients of a batch; its losses."""
        parts, into = (self._problem.model.parts(each) for each in (params_LN, gradients_LN))
        x, at, backwards = batch.of(self._problem.inputs).movedim(1, -1), 0, []
        for layer in self._layers:
            mine = slice(at, at := at + layer.parameters)
            x, backward = layer.forward(x, parts[mine])
            # The first layer that has parameters needs no gradient at its input.
            backwards.append((backward, into[mine], mine.start > 0))
        labels_LB = self._problem.labels[batch.index_LB]
        losses_L, at_x = cross_entropy(x, labels_LB, batch.weights_LB)
        for backward, mine_into, further in reversed(backwards):
            given = backward(at_x, mine_into, further)
            if given is None:
                break
            at_x = given
        return losses_L
