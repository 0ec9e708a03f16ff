"""Tasks: parts, empty clients, divergence, memory, evaluation."""

import gc
import os
import weakref
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation
from netsim.learning.config import TaskConfig
from netsim.learning.datasets import Digits
from netsim.learning.errors import Infeasible, ModelDiverged, TrainingDiverged
from netsim.learning.models import LeNet5
from netsim.learning.models.initial import initial_model
from netsim.learning.signature import Signature
from netsim.learning.task import TrainingTask
from netsim.wire.deferred import Deferred

MakeTask = Callable[..., TrainingTask]


def test_samples_are_the_sizes_of_the_parts(make_task: MakeTask) -> None:
    """All 1,438 of digits, or as many as asked for."""
    assert make_task(clients=5).samples.tolist() == [288, 288, 288, 287, 287]
    assert make_task(clients=5, samples_per_client=16).samples.tolist() == [16] * 5


def test_samples_per_client_is_a_limit_for_uneven_parts(make_task: MakeTask) -> None:
    """A client whose part is smaller keeps its part."""
    uneven = {"partition": {"kind": "dirichlet", "alpha": 0.1}}
    whole = make_task(clients=8, **uneven).samples
    limited = make_task(clients=8, samples_per_client=40, **uneven).samples
    assert limited.tolist() == np.minimum(whole, 40).tolist()


def test_too_many_samples_per_client_are_refused(make_task: MakeTask) -> None:
    """With the numbers in the message."""
    with pytest.raises(Infeasible, match=r"10 clients with 200 samples each need 2000.* has 1438"):
        make_task(clients=10, samples_per_client=200)


@pytest.mark.parametrize("model", ["mlp", "lenet5"])
def test_empty_clients_give_zeros(make_task: MakeTask, model: str) -> None:
    """They are told by their samples; those beside them are not disturbed."""
    task = make_task(model=model, clients=30, partition={"kind": "dirichlet", "alpha": 0.01})
    empty, held = int(np.argmin(task.samples)), int(np.argmax(task.samples))
    assert task.samples[empty] == 0
    updates = [task.update(k, task.initial, 0) for k in (empty, held)]
    assert not updates[0].value().any()
    assert updates[1].value().any()
    assert np.isfinite(updates[1].value()).all()


@pytest.mark.parametrize("model", ["mlp", "lenet5"])
def test_divergence_names_client_and_round(make_task: MakeTask, model: str) -> None:
    """Only who diverged is told, and every time it is read."""
    task = make_task(model=model)
    broken = Deferred.of(np.full(task.n, np.nan, np.float32))
    bad, good = task.update(1, broken, 5), task.update(2, task.initial, 5)
    for _ in range(2):
        with pytest.raises(TrainingDiverged, match="client 1 diverged in round 5") as caught:
            bad.value()
        assert (caught.value.client, caught.value.round) == (1, 5)
    assert np.isfinite(good.value()).all()


def test_divergence_within_the_local_steps_is_found(make_task: MakeTask) -> None:
    """A learning rate out of all proportion."""
    task = make_task(lr=1e30, local_steps=4)
    with pytest.raises(TrainingDiverged):
        task.update(0, task.initial, 0).value()


def test_divergence_of_an_unread_round_surfaces_with_momentum(make_task: MakeTask) -> None:
    """At the client's next round, under the name of the round that diverged."""
    task = make_task(momentum=0.9)
    task.update(0, Deferred.of(np.full(task.n, np.inf, np.float32)), 0)
    with pytest.raises(TrainingDiverged, match="round 0"):
        task.update(0, task.initial, 1)


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_results_are_released(make_task: MakeTask, momentum: float) -> None:
    """A read update is held by its deferred value alone."""
    task = make_task(momentum=momentum)
    updates = [task.update(k, task.initial, 0) for k in range(4)]
    vectors = [weakref.ref(update.value()) for update in updates]
    del updates
    gc.collect()
    assert [vector() for vector in vectors] == [None] * 4


def test_forgotten_updates_let_go_of_their_model(make_task: MakeTask) -> None:
    """Without momentum nobody needs what nobody reads."""
    task = make_task()
    start = task.initial.value().copy()
    gone = weakref.ref(start)
    task.update(0, Deferred.of(start), 0)
    del start
    gc.collect()
    assert gone() is None


def test_many_unread_rounds_are_no_deep_recursion(make_task: MakeTask) -> None:
    """Four hundred rounds, each starting from the last one's result, read at the end only."""
    task = make_task(clients=1, samples_per_client=2)
    model = task.initial
    for round in range(400):
        update = task.update(0, model, round)
        model = task.defer(lambda m=model, u=update: m.value() - np.float32(0.01) * u.value())
    assert np.isfinite(model.value()).all()


def test_updates_and_the_initial_model_are_read_only(make_task: MakeTask) -> None:
    """Many share them; writing to one is a fault."""
    task = make_task()
    for vector in (task.initial.value(), task.update(0, task.initial, 0).value()):
        with pytest.raises(ValueError, match="read-only"):
            vector[0] = 1


@pytest.mark.parametrize("model", ["mlp", "lenet5"])
def test_evaluation_is_that_of_torch(make_task: MakeTask, model: str) -> None:
    """Mean loss and exact share of right answers over the whole test set."""
    task, data = make_task(model=model), Digits().load()
    module = task._evaluator._model.module
    with torch.no_grad():
        task._evaluator._model.flat.copy_(torch.from_numpy(task.initial.value().copy()))
        outputs = module(torch.from_numpy(data.test_inputs))
        labels = torch.from_numpy(data.test_labels)
        loss = float(cross_entropy(outputs, labels))
        right = int((outputs.argmax(1) == labels).sum())
    (found,) = task.evaluate([task.initial])
    expected = Evaluation(pytest.approx(loss, rel=1e-6), right / len(labels), found.others)
    assert found == expected


def test_models_are_evaluated_in_order_and_once_each(make_task: MakeTask) -> None:
    """A model that several nodes hold is evaluated once."""
    task = make_task()
    zeros = Deferred.of(np.zeros(task.n, np.float32))
    calls = []
    counted = Deferred(lambda: calls.append(1) or task.initial.value())
    first, second, third = task.evaluate([counted, zeros, counted])
    assert first == third != second
    assert second.loss == pytest.approx(np.log(10))
    assert calls == [1]


def test_a_diverged_model_is_named(make_task: MakeTask) -> None:
    """By its place among those evaluated."""
    task = make_task()
    broken = Deferred.of(np.full(task.n, np.nan, np.float32))
    with pytest.raises(ModelDiverged, match="model 1"):
        task.evaluate([task.initial, broken])


def test_plain_averaging_learns_digits(make_task: MakeTask) -> None:
    """LeNet-5 at ten clients with five local steps of 16 samples: from chance to over 90 %."""
    task = make_task(clients=10, model="lenet5", batch=16, local_steps=5, lr=0.1)
    model = task.initial
    for round in range(20):
        updates = [task.update(k, model, round) for k in range(10)]
        mean = sum(update.value() for update in updates) / np.float32(10)
        model = Deferred.of(model.value() - np.float32(task.lr) * mean)
    before, after = task.evaluate([task.initial, model])
    assert before.accuracy < 0.3
    assert after.accuracy > 0.9
    assert after.loss < before.loss


@pytest.mark.skipif("NETSIM_DATA" not in os.environ, reason="NETSIM_DATA is unset: no MNIST")
def test_a_task_on_mnist() -> None:
    """Fifty clients with 16 samples each, as ERIS has it; LeNet-5 of 61,706 parameters."""
    config = TaskConfig.model_validate(
        {"dataset": "mnist", "model": "lenet5", "lr": 0.1, "samples_per_client": 16}
    )
    task = TrainingTask.build(config, 50, Streams(1))
    assert (task.n, task.samples.tolist()) == (61706, [16] * 50)
    initial = initial_model(LeNet5(), Signature((1, 28, 28), 10), Streams(1)).flat.numpy()
    assert np.array_equal(task.initial.value(), initial)
    assert np.isfinite(task.update(7, task.initial, 0).value()).all()
