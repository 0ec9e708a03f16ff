"""Evaluates models on the test set."""

from collections.abc import Sequence
from math import isfinite

import numpy as np
import torch
from torch import Tensor

from netsim.learning.base import Evaluation, Float32
from netsim.learning.errors import ModelDiverged
from netsim.learning.flat import FlatModule
from netsim.learning.objectives import Counts, Objective
from netsim.learning.threads import one_thread
from netsim.wire.deferred import Deferred

_AT_ONCE = 500


class Evaluator:
    """A test set, ``inputs`` [S, …] and ``labels`` [S, …], taken 500 at a time."""

    def __init__(
        self, model: FlatModule, objective: Objective, inputs: Tensor, labels: Tensor
    ) -> None:
        self._model = model
        self._objective = objective
        # In memory of torch's own: the bits of a product may depend on how its factors lie there.
        pieces = [part.clone() for part in torch.split(inputs, _AT_ONCE)]
        self._chunks = list(zip(pieces, torch.split(labels, _AT_ONCE), strict=True))
        self._count = len(labels)

    def __call__(self, models: Sequence[Deferred[Float32]]) -> list[Evaluation]:
        """One evaluation a model; the same deferred value is evaluated once.

        Raises ModelDiverged if a model's loss is not finite.
        """
        known: dict[Deferred[Float32], Evaluation] = {}
        for index, model in enumerate(models):
            if model not in known:
                known[model] = self._evaluate(index, model.value())
        return [known[model] for model in models]

    def _evaluate(self, index: int, params: Float32) -> Evaluation:
        module = self._model.module.eval()
        with one_thread(), torch.no_grad():
            self._model.load(params)
            sums = [self._sums(*chunk) for chunk in self._chunks]
        module.train()
        loss = sum(loss for loss, _ in sums) / self._count
        if not isfinite(loss):
            raise ModelDiverged(index)
        return self._objective.evaluation(loss, np.sum([counts for _, counts in sums], axis=0))

    def _sums(self, inputs: Tensor, labels: Tensor) -> tuple[float, Counts]:
        """Of the losses, and of what metrics need."""
        outputs = self._model.module(inputs)
        losses = self._objective.losses(outputs, labels)
        return float(losses.double().sum()), self._objective.counts(outputs, labels)
