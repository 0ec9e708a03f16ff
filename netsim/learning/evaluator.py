"""Evaluates models on the test set, and on what clients hold out."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import isfinite

import numpy as np
import torch
from torch import Tensor

from netsim.learning.base import Evaluation, Float32, Int64
from netsim.learning.errors import ModelDiverged
from netsim.learning.flat import FlatModule
from netsim.learning.objectives import Counts, Objective
from netsim.learning.threads import one_thread
from netsim.wire.deferred import Deferred

_AT_ONCE = 500


class Samples:
    """``inputs`` [S, …] and ``labels`` [S, …], taken 500 at a time."""

    def __init__(self, inputs: Tensor, labels: Tensor) -> None:
        # In memory of torch's own: the bits of a product may depend on how its factors lie there.
        pieces = [part.clone() for part in torch.split(inputs, _AT_ONCE)]
        self.pieces = list(zip(pieces, torch.split(labels, _AT_ONCE), strict=True))
        self.count = len(labels)


class HeldOut:
    """What clients hold out of the training samples ``inputs`` and ``labels``: their indices."""

    def __init__(self, inputs: Tensor, labels: Tensor, parts: Sequence[Int64]) -> None:
        self._inputs, self._labels, self._parts = inputs, labels, parts

    @cached_property
    def all(self) -> Samples | None:
        """What all clients hold out together; None if nothing."""
        return self._samples(np.concatenate(list(self._parts)))

    def of(self, client: int) -> Samples | None:
        """What one of them does."""
        return self._samples(self._parts[client])

    def _samples(self, part: Int64) -> Samples | None:
        index = torch.from_numpy(part)
        return Samples(self._inputs[index], self._labels[index]) if len(part) else None


class Evaluator:
    """Evaluates models on ``test``, and on what their node holds out, or all do."""

    def __init__(
        self, model: FlatModule, objective: Objective, test: Samples, held_out: HeldOut, seed: int
    ) -> None:
        self._model = model
        self._objective = objective
        self._test = test
        self._held_out = held_out
        self._seed = seed

    def __call__(
        self, models: Sequence[Deferred[Float32]], nodes: Sequence[int] | None
    ) -> list[Evaluation]:
        """One evaluation a model; the same deferred value is tested once.

        ``nodes`` says whose they are, None that they are everybody's.  Raises ModelDiverged if a
        model's loss is not finite.
        """
        known: dict[Deferred[Float32], Evaluation] = {}
        found = []
        for index, model in enumerate(models):
            if model not in known:
                known[model] = self._evaluate(index, model.value(), self._test)
            held_out = self._held_out.all if nodes is None else self._held_out.of(nodes[index])
            evaluation = known[model]
            if held_out is not None:
                validation = self._evaluate(index, model.value(), held_out)
                evaluation = replace(evaluation, validation=validation)
            found.append(evaluation)
        return found

    def _evaluate(self, index: int, params: Float32, samples: Samples) -> Evaluation:
        module = self._model.module
        with one_thread(), torch.no_grad(), torch.random.fork_rng(devices=[]):
            # A module may leave something to chance in evaluation, too.
            torch.manual_seed(self._seed)
            self._model.load(params)
            with self._model.at_work():
                module.eval()
                sums = [self._sums(*piece) for piece in samples.pieces]
                module.train()
        loss = sum(loss for loss, _ in sums) / samples.count
        if not isfinite(loss):
            raise ModelDiverged(index)
        return self._objective.evaluation(loss, np.sum([counts for _, counts in sums], axis=0))

    def _sums(self, inputs: Tensor, labels: Tensor) -> tuple[float, Counts]:
        """Of the losses, and of what metrics need."""
        outputs = self._model.module(inputs)
        losses = self._objective.losses(outputs, labels)
        return float(losses.double().sum()), self._objective.counts(outputs, labels)
