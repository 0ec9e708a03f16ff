"""One client after the other, or several on threads of their own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from queue import Empty, SimpleQueue
from typing import ClassVar, final

import torch
from torch import Tensor

from netsim.learning.base import Int64
from netsim.learning.flat import FlatModule
from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.problem import Problem
from netsim.learning.threads import side_by_side

_WIDEST = 8
_GRADIENTS_AT_ONCE = 16_000_000


@final
class Loop(Gradients):
    """Plain autograd, lane by lane, so that nothing is padded; serves every model."""

    name: ClassVar = "loop"

    def __init__(self, problem: Problem, width: int) -> None:
        self._problem = problem
        self.layout = problem.model.layout
        self.width = width
        # As it is before anything is computed: a module in use may have changed its buffers.
        self._spare = deepcopy(problem.model.module) if width > 1 else None
        self._idle: SimpleQueue[FlatModule] = SimpleQueue()
        self._idle.put(problem.model)

    @staticmethod
    def of(problem: Problem, load: Load) -> "Loop":
        """As in the base class."""
        model = problem.model
        # Chance is drawn for one client at a time.
        widest = 1 if model.by_chance else min(_WIDEST, _GRADIENTS_AT_ONCE // model.layout.size)
        return Loop(problem, load.width(widest))

    def __call__(self, params_WN: Tensor, rows: Sequence[Int64 | None]) -> Estimate:
        """As in the base class; for any number of lanes."""
        size, trained = self.layout.size, self.layout.trained
        gradients_WN, losses_W = torch.empty(len(rows), size), torch.zeros(len(rows))
        statistics_WM = torch.empty(len(rows), size - trained)
        work = []
        for lane, row in enumerate(rows):
            if row is None:
                gradients_WN[lane], statistics_WM[lane] = 0, 0
            else:
                into = gradients_WN[lane], losses_W[lane : lane + 1], statistics_WM[lane]
                work.append(partial(self._lane, params_WN[lane], row, *into))
        side_by_side(work)
        return Estimate(gradients_WN, losses_W, statistics_WM if size > trained else None)

    def _lane(
        self, params_N: Tensor, row: Int64, gradient_N: Tensor, loss_1: Tensor, statistics_M: Tensor
    ) -> None:
        """Writes a client's gradient, loss and running statistics."""
        with self._module() as model, self._problem.model.at_work():
            model.load(params_N.numpy())
            index = torch.from_numpy(row)
            outputs = model.module(self._problem.inputs[index])
            loss = self._problem.objective.mean(outputs, self._problem.labels[index])
            # A user's module may have parameters that it does not use.
            parts = torch.autograd.grad(loss, model.parameters, materialize_grads=True)
            flat = [part.to_dense().flatten() for part in parts]
            torch.cat([*flat, torch.zeros_like(model.statistics)], out=gradient_N)
            statistics_M.copy_(model.statistics)
            loss_1.copy_(loss.detach())

    @contextmanager
    def _module(self) -> Iterator[FlatModule]:
        """A module that nobody else uses meanwhile: as many as there are threads."""
        try:
            model = self._idle.get_nowait()
        except Empty:
            assert self._spare is not None
            model = FlatModule(deepcopy(self._spare))
        try:
            yield model
        finally:
            self._idle.put(model)
