"""Running statistics of batch normalisation: exchanged with the parameters, and averaged."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation
from netsim.learning.datasets import Digits
from netsim.learning.flat import FlatModule
from netsim.learning.gradients.loop import Loop
from netsim.learning.models import ResNet9
from netsim.learning.models.initial import initial_model
from netsim.learning.task import TrainingTask
from netsim.wire.deferred import Deferred

MakeTask = Callable[..., TrainingTask]
SMALL: dict[str, Any] = {"model": {"kind": "resnet9", "width": 8}, "samples_per_client": 6}


def fresh() -> nn.Module:
    """The small network in its first state, as torch itself keeps it."""
    return copy.deepcopy(
        initial_model(ResNet9(width=8), Digits().load().signature, Streams(7)).module
    )


def statistics(module: nn.Module) -> torch.Tensor:
    buffers = [b.flatten() for b in module.buffers() if b.is_floating_point()]
    return torch.cat(buffers)


def test_state_is_parameters_then_statistics() -> None:
    """Means of zero and variances of one at the end of the vector; counters are in no place."""
    flat = initial_model(ResNet9(width=8), Digits().load().signature, Streams(1))
    assert flat.layout.size - flat.layout.trained == 2 * 280
    assert set(flat.statistics.tolist()) == {0.0, 1.0}
    assert flat.statistics.sum() == 280
    assert all("running" in name for name in flat.layout.names[-16:])
    flat.flat[-1] = 5
    assert statistics(flat.module)[-1] == 5
    assert flat.lone


def test_constants_and_counters_are_not_exchanged() -> None:
    """They start anew with each load, changed in place or replaced."""

    class Own(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(2))
            self.register_buffer("mask", torch.tensor([1.0, 0.0]), persistent=False)
            self.register_buffer("mean", torch.tensor([0.5]), persistent=False)
            self.register_buffer("calls", torch.tensor(0))

    module = Own()
    flat = FlatModule(module)
    assert (flat.layout.size, flat.layout.trained, flat.lone) == (2, 2, False)
    module.calls += 3
    module.mask.fill_(7)
    module.mean = torch.tensor([2.0])
    flat.load(np.zeros(2, np.float32))
    assert (int(module.calls), module.mask.tolist(), module.mean.tolist()) == (0, [1, 0], [0.5])


def test_a_negative_variance_counts_as_zero() -> None:
    """So that no noise or sparse update makes a model NaN; means keep their sign."""
    flat = FlatModule(nn.BatchNorm1d(2))
    flat.load(np.array([1, 1, 0, 0, -3, 3, -4, 4], np.float32))
    assert flat.statistics.tolist() == [-3, 3, 0, 4]


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_a_client_s_update_leads_to_what_it_ended_with(
    make_task: MakeTask, momentum: float
) -> None:
    """x − lr·update has torch's own parameters and statistics after two steps of SGD."""
    task = make_task(**SMALL, local_steps=2, lr=0.05, momentum=momentum)
    module = fresh()
    optimiser = torch.optim.SGD(module.parameters(), lr=0.05, momentum=momentum)
    problem = task._training._estimates._oracle.alone._problem
    row = torch.from_numpy(task._training._estimates._oracle.batches.draw(1, 0, 0))
    for _ in range(2):
        optimiser.zero_grad()
        cross_entropy(module(problem.inputs[row]), problem.labels[row]).backward()
        optimiser.step()
    ended = task.initial.value() - np.float32(0.05) * task.update(1, task.initial, 0).value()
    ours = torch.from_numpy(ended)
    theirs = torch.cat([p.detach().flatten() for p in module.parameters()])
    assert torch.allclose(ours[: -task.statistics], theirs, atol=1e-5)
    assert torch.allclose(ours[-task.statistics :], statistics(module), atol=1e-5)
    assert not torch.allclose(statistics(module), statistics(fresh()), atol=1e-3)


def test_the_mean_of_updates_has_the_mean_of_statistics(make_task: MakeTask) -> None:
    """Batch norm's buffers are averaged as FedAvg averages models."""
    task = make_task(**SMALL, lr=0.05)
    start, lr = task.initial.value(), np.float32(task.lr)
    updates = [task.update(k, task.initial, 0).value() for k in range(4)]
    ended = [(start - lr * update)[-task.statistics :] for update in updates]
    mean = (start - lr * np.mean(updates, 0))[-task.statistics :]
    assert np.allclose(mean, np.mean(ended, 0), atol=1e-5)
    assert np.ptp(ended, axis=0).max() > 0.01


def test_clients_are_computed_one_at_a_time(make_task: MakeTask) -> None:
    """Padding would enter the statistics of a batch."""
    assert isinstance(make_task(**SMALL)._training._estimates._oracle.gradients, Loop)


def test_models_are_tested_with_their_statistics(make_task: MakeTask) -> None:
    """In evaluation mode; testing leaves no trace in later updates."""
    task, other = make_task(**SMALL), make_task(**SMALL)
    model = Deferred.of(
        task.initial.value() - np.float32(0.1) * task.update(0, task.initial, 0).value()
    )
    data, module = Digits().load(), fresh().eval()
    values = torch.from_numpy(model.value())
    torch.nn.utils.vector_to_parameters(values[: -task.statistics], module.parameters())
    at = task.n - task.statistics
    for buffer in (b for b in module.buffers() if b.is_floating_point()):
        buffer.copy_(values[at : at + len(buffer)])
        at += len(buffer)
    with torch.no_grad():
        outputs = module(torch.from_numpy(data.test_inputs))
    loss = float(cross_entropy(outputs, torch.from_numpy(data.test_labels)))
    (found,) = task.evaluate([model])
    assert found.loss == pytest.approx(loss, rel=1e-4)
    again = task.update(1, task.initial, 0).value()
    assert np.array_equal(again, other.update(1, other.initial, 0).value())


def test_group_norm_has_no_statistics(make_task: MakeTask) -> None:
    """Nothing but parameters is exchanged then."""
    assert make_task(model={"kind": "resnet9", "width": 8, "norm": "group"}).statistics == 0


def test_a_rate_of_nothing_moves_no_statistics(make_task: MakeTask) -> None:
    """As it moves no parameters; its update is finite."""
    schedule = {"kind": "plateau", "factor": 1e-60, "patience": 1, "threshold": 1.0}
    task = make_task(**SMALL, lr=0.1, schedule=schedule)
    for round in (0, 1):
        task.observe(round, [Evaluation(1.0, 0.5)])
    assert np.float32(task.rate(2)) == 0
    update = task.update(0, task.initial, 2).value()
    assert np.isfinite(update).all()
    assert not update[task.n - task.statistics :].any()
