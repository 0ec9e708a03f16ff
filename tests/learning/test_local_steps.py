"""Local steps and momentum against torch's own optimiser."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.datasets import Digits
from netsim.learning.holdings import client_parts
from netsim.learning.models.initial import initial_model
from netsim.learning.sampling import Batches
from netsim.learning.task import TrainingTask

MakeTask = Callable[..., TrainingTask]


def by_torch(config: TaskConfig, client: int, rounds: int, clients: int = 4) -> list[np.ndarray]:
    """A client's updates (x − x_local)/lr by torch.optim.SGD; each round starts anew from x."""
    data, streams = Digits().load(), Streams(7)
    flat = initial_model(config.model, data.signature, streams)
    start = flat.flat.clone()
    parts = client_parts(config, data, clients, streams).training
    batches = Batches(parts, config.batch, streams, config.local_epochs is not None)
    optimiser = torch.optim.SGD(flat.module.parameters(), lr=config.lr, momentum=config.momentum)
    updates = []
    for round in range(rounds):
        flat.flat.copy_(start)
        for step in range(config.steps_of(len(parts[client]))):
            row = batches.draw(client, round, step)
            inputs, labels = torch.from_numpy(data.train_inputs[row]), data.train_labels[row]
            optimiser.zero_grad()
            cross_entropy(flat.module(inputs), torch.from_numpy(labels)).backward()
            optimiser.step()
        updates.append(((start - flat.flat) / config.lr).numpy().copy())
    return updates


@pytest.mark.parametrize("model", ["mlp", "lenet5"])
@pytest.mark.parametrize("batch", ["full", 6])
@pytest.mark.parametrize(("steps", "momentum"), [(1, 0.0), (3, 0.0), (1, 0.9), (3, 0.9)])
def test_updates_are_those_of_torch_sgd(
    make_task: MakeTask, model: str, batch: int | str, steps: int, momentum: float
) -> None:
    """Over three rounds; what torch gives as x − x_local has lost a few digits."""
    settings = {
        "model": model,
        "batch": batch,
        "local_steps": steps,
        "momentum": momentum,
        "lr": 0.05,
        "samples_per_client": 40,
    }
    task = make_task(**settings)
    expected = by_torch(TaskConfig.model_validate({"dataset": "digits"} | settings), 2, rounds=3)
    for round, theirs in enumerate(expected):
        ours = task.update(2, task.initial, round).value()
        assert np.linalg.norm(ours - theirs) <= 1e-5 * np.linalg.norm(theirs)


def test_passes_over_uneven_parts_are_those_of_torch_sgd(make_task: MakeTask) -> None:
    """Two passes in batches of 100, different numbers of steps, computed side by side."""
    settings = {
        "model": "mlp",
        "batch": 100,
        "local_epochs": 2,
        "momentum": 0.5,
        "lr": 0.02,
        "partition": {"kind": "dirichlet", "alpha": 0.1},
    }
    task = make_task(**settings)
    config = TaskConfig.model_validate({"dataset": "digits"} | settings)
    assert len({config.steps_of(int(samples)) for samples in task.samples}) > 2
    updates = [[task.update(k, task.initial, round) for k in range(4)] for round in range(2)]
    for client in range(4):
        for round, theirs in enumerate(by_torch(config, client, rounds=2)):
            ours = updates[round][client].value()
            assert np.linalg.norm(ours - theirs) <= 2e-5 * np.linalg.norm(theirs)


def test_one_step_without_momentum_is_the_gradient_itself(make_task: MakeTask) -> None:
    """The learning rate does not touch its bits."""
    updates = [(task := make_task(lr=lr)).update(1, task.initial, 0).value() for lr in (0.1, 7.0)]
    assert np.array_equal(*updates)


@pytest.mark.parametrize("drop", [True, False])
@pytest.mark.parametrize("model", ["mlp", "lenet5"])
def test_unread_updates_advance_the_momentum(make_task: MakeTask, model: str, drop: bool) -> None:
    """Reading all rounds or only the last gives the same bits, be the others kept or dropped."""
    read, unread = (make_task(model=model, momentum=0.9) for _ in range(2))
    all_read = [read.update(0, read.initial, round).value() for round in range(3)]
    kept = {}
    for round in range(3):
        kept[round] = unread.update(0, unread.initial, round)
        if drop and round < 2:
            del kept[round]
    assert list(kept) == ([2] if drop else [0, 1, 2])
    assert all(np.array_equal(kept[round].value(), all_read[round]) for round in (2, *kept))


def test_reading_late_rounds_first_changes_nothing(make_task: MakeTask) -> None:
    """Without momentum too, an early round's update is the same after a later one was read."""
    one, other = make_task(batch=5), make_task(batch=5)
    expected = [one.update(0, one.initial, round).value() for round in range(2)]
    updates = [other.update(0, other.initial, round) for round in range(2)]
    assert np.array_equal(updates[1].value(), expected[1])
    assert np.array_equal(updates[0].value(), expected[0])
    assert not np.array_equal(*expected)
