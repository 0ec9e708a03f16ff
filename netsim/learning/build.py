"""From the section of a scenario to a task."""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from netsim.kernel.streams import Streams
from netsim.learning.base import Float32
from netsim.learning.chance import Chance
from netsim.learning.config import TaskConfig
from netsim.learning.datasets.base import Data
from netsim.learning.errors import Infeasible
from netsim.learning.evaluator import Evaluator, HeldOut, Samples
from netsim.learning.gradients import Gradients, Load, Problem, choose
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.stacked import Stacked
from netsim.learning.heap import keep_freed_memory
from netsim.learning.holdings import Holdings, client_parts
from netsim.learning.local import LocalTraining
from netsim.learning.metrics import METRIC
from netsim.learning.models.initial import initial_model
from netsim.learning.objectives import objective_of
from netsim.learning.oracle import Oracle
from netsim.learning.rates import Rates
from netsim.learning.sampling import Batches
from netsim.learning.task import TrainingTask
from netsim.learning.trial import try_out

_APART = 32
_COPIED_BYTES = 1 << 28


def build(
    config: TaskConfig,
    clients: int,
    streams: Streams,
    folder: Path | None,
    test_samples: int | None,
) -> TrainingTask:
    """See ``TrainingTask.build``."""
    return assemble(config, config.load(folder), clients, streams, test_samples)


def assemble(
    config: TaskConfig, data: Data, clients: int, streams: Streams, test_samples: int | None = None
) -> TrainingTask:
    """A task on data that is there.  Raises Infeasible."""
    keep_freed_memory()
    model = initial_model(config.model, data.signature, streams)
    train, labels, parts = _held(data, client_parts(config, data, clients, streams))
    batches = Batches(parts.training, config.batch, streams, config.local_epochs is not None)
    objective = objective_of(data.signature, labels)
    if config.model.foreign or model.lone:
        try_out(model, data.signature, train, batches.smallest)
    problem = Problem(model, train, labels, objective)
    load = Load(np.minimum(parts.samples, batches.size))
    gradients = choose(config.gradients, config.model, problem, load)
    oracle = _oracle(problem, batches, gradients)
    validated = any(map(len, parts.held_out))
    rates = Rates(config.lr, config.schedule, METRIC[data.answer], validated)
    return TrainingTask(
        config,
        initial=_fixed(model.flat.numpy()),
        layout=model.layout,
        rates=rates,
        samples=parts.samples,
        gradients=gradients.name,
        training=LocalTraining(config, oracle, Chance(streams, model.by_chance), rates),
        evaluator=Evaluator(
            model,
            objective,
            _test_set(data, test_samples, streams),
            HeldOut(train, labels, parts.held_out),
            streams.integer("evaluation"),
        ),
    )


def _held(data: Data, parts: Holdings) -> tuple[Tensor, Tensor, Holdings]:
    """Inputs and labels, and where each client's are among them.

    Theirs alone and side by side, unless that is a large copy: a batch is then a stretch of
    memory that the processor has at hand.
    """
    inputs, labels = torch.from_numpy(data.train_inputs), torch.from_numpy(data.train_labels)
    held = [*parts.training, *parts.held_out]
    order = np.concatenate(held)
    if len(order) * data.train_inputs[0].nbytes > _COPIED_BYTES:
        return inputs, labels, parts
    rows, ends = torch.from_numpy(order), np.cumsum([len(part) for part in held])
    new, clients = np.split(np.arange(len(order)), ends[:-1]), len(parts.training)
    inputs, labels = inputs.index_select(0, rows), labels.index_select(0, rows)
    return inputs, labels, Holdings(new[:clients], new[clients:])


def _oracle(problem: Problem, batches: Batches, gradients: Gradients) -> Oracle:
    apart = None if problem.model.lone else Stacked(problem, _APART, batch=1)
    return Oracle(batches, gradients, Loop(problem, width=1), apart)


def _test_set(data: Data, count: int | None, streams: Streams) -> Samples:
    total = len(data.test_labels)
    if count is not None and count > total:
        text = f"{count} of {total} test samples; leave it out to test on all"
        raise Infeasible(text, "evaluate", "sample")
    if count is None or count == total:
        return Samples(torch.from_numpy(data.test_inputs), torch.from_numpy(data.test_labels))
    chosen = np.sort(streams.rng("test set").choice(total, count, replace=False))
    inputs, labels = data.test_inputs[chosen], data.test_labels[chosen]
    return Samples(torch.from_numpy(inputs), torch.from_numpy(labels))


def _fixed(vector: Float32) -> Float32:
    fixed = vector.copy()
    fixed.flags.writeable = False
    return fixed
