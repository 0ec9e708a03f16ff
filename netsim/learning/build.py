"""From the section of a scenario to a task."""

from pathlib import Path

import numpy as np
import torch

from netsim.kernel.streams import Streams
from netsim.learning.base import Float32, Int64
from netsim.learning.config import TaskConfig
from netsim.learning.datasets import DATASETS
from netsim.learning.errors import Infeasible
from netsim.learning.evaluator import Evaluator
from netsim.learning.gradients import Problem, choose
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.stacked import Stacked
from netsim.learning.local import LocalTraining
from netsim.learning.models import MODELS
from netsim.learning.models.initial import initial_model
from netsim.learning.named import find
from netsim.learning.oracle import Oracle
from netsim.learning.sampling import Batches
from netsim.learning.task import TrainingTask

_APART = 32


def build(config: TaskConfig, clients: int, streams: Streams, folder: Path | None) -> TrainingTask:
    """See ``TrainingTask.build``."""
    data = find(DATASETS, config.dataset).load(folder)
    kind = find(MODELS, config.model)
    model = initial_model(kind, data.shape, data.classes, streams)
    parts = client_parts(config, data.train_labels, clients, streams)
    batches = Batches(parts, config.batch, streams, config.local_epochs is not None)
    train, labels = torch.from_numpy(data.train_inputs), torch.from_numpy(data.train_labels)
    problem = Problem(model, train, labels)
    gradients = choose(problem, clients, batches.size, kind.stack_limit)
    oracle = Oracle(batches, gradients, Loop(problem), Stacked(problem, _APART, batch=1))
    test = torch.from_numpy(data.test_inputs), torch.from_numpy(data.test_labels)
    return TrainingTask(
        config,
        initial=_fixed(model.flat.numpy()),
        samples=np.array([len(part) for part in parts], np.int64),
        training=LocalTraining(config, oracle),
        evaluator=Evaluator(model, *test),
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
