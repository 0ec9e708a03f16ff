"""From the section of a scenario to a task."""

from pathlib import Path

import numpy as np
import torch

from netsim.kernel.streams import Streams
from netsim.learning.base import Float32, Int64
from netsim.learning.chance import Chance
from netsim.learning.config import TaskConfig
from netsim.learning.errors import Infeasible
from netsim.learning.evaluator import Evaluator
from netsim.learning.gradients import Problem, choose
from netsim.learning.local import LocalTraining
from netsim.learning.models.initial import initial_model
from netsim.learning.objectives import objective_of
from netsim.learning.sampling import Batches
from netsim.learning.task import TrainingTask
from netsim.learning.trial import try_out


def build(config: TaskConfig, clients: int, streams: Streams, folder: Path | None) -> TrainingTask:
    """See ``TrainingTask.build``."""
    data = config.dataset.load(folder)
    model = initial_model(config.model, data.signature, streams)
    parts = client_parts(config, data.strata, clients, streams)
    batches = Batches(parts, config.batch, streams)
    train, labels = torch.from_numpy(data.train_inputs), torch.from_numpy(data.train_labels)
    objective = objective_of(data.signature, labels)
    if config.model.keeps_start:
        try_out(model, data.signature, train, batches.smallest)
    problem = Problem(model, train, labels, objective)
    gradients = choose(problem, clients, batches.size, config.model.stack_limit)
    test = torch.from_numpy(data.test_inputs), torch.from_numpy(data.test_labels)
    return TrainingTask(
        config,
        initial=_fixed(model.flat.numpy()),
        layout=model.layout,
        samples=np.array([len(part) for part in parts], np.int64),
        training=LocalTraining(
            config, gradients, batches, model.layout, Chance(streams, model.by_chance)
        ),
        evaluator=Evaluator(model, objective, *test),
    )


def client_parts(config: TaskConfig, labels: Int64, clients: int, streams: Streams) -> list[Int64]:
    """For each client the ascending indices of its training samples.

    Raises Infeasible.
    """
    parts = config.partition.split(labels, clients, streams.rng("partition"))
    most = config.samples_per_client
    if most is None:
        return parts
    if most * clients > len(labels):
        raise Infeasible(
            f"samples_per_client: {clients} clients with {most} samples each need "
            f"{most * clients}, the dataset has {len(labels)}"
        )
    return [_at_most(most, part, streams.rng("subset", k)) for k, part in enumerate(parts)]


def _at_most(most: int, part: Int64, rng: np.random.Generator) -> Int64:
    return np.sort(rng.choice(part, most, replace=False)) if len(part) > most else part


def _fixed(vector: Float32) -> Float32:
    fixed = vector.copy()
    fixed.flags.writeable = False
    return fixed
