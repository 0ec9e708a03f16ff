"""Evaluates models on the test set."""

from collections.abc import Sequence
from math import isfinite

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from netsim.learning.base import Evaluation, Float32
from netsim.learning.errors import ModelDiverged
from netsim.learning.flat import FlatModule
from netsim.learning.threads import one_thread
from netsim.wire.deferred import Deferred

_AT_ONCE = 500


class Evaluator:
    """A test set, ``inputs`` Float32[S, …] and ``labels`` Int64[S], taken 500 at a time."""

    def __init__(self, model: FlatModule, inputs: Tensor, labels: Tensor) -> None:
        self._model = model
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
        with one_thread(), torch.no_grad():
            self._model.flat.numpy()[:] = params
            sums = [self._sums(*chunk) for chunk in self._chunks]
        loss = sum(loss for loss, _ in sums) / self._count
        if not isfinite(loss):
            raise ModelDiverged(index)
        return Evaluation(loss, sum(right for _, right in sums) / self._count)

    def _sums(self, inputs: Tensor, labels: Tensor) -> tuple[float, int]:
        """Of the losses and of the right answers."""
        outputs = self._model.module(inputs)
        losses = cross_entropy(outputs, labels, reduction="none")
        return float(losses.double().sum()), int((outputs.argmax(1) == labels).sum())
