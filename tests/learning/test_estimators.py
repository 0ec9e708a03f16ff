"""SVRG and SAGA: unbiased, exact at first, without variance at the optimum.

On softmax regression with noisy labels, whose loss has one minimum (up to a shift of all classes)
and is strongly convex around it.
"""

import copy
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from netsim.kernel.streams import Streams
from netsim.learning.block import Block, Job
from netsim.learning.chance import Chance
from netsim.learning.config import TaskConfig
from netsim.learning.errors import Infeasible
from netsim.learning.estimators import Saga, Svrg
from netsim.learning.flat import FlatModule
from netsim.learning.gradients import STRATEGIES, Gradients, Load, Problem
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.products import Products
from netsim.learning.gradients.stacked import Stacked
from netsim.learning.local import LocalTraining
from netsim.learning.metrics import METRIC
from netsim.learning.objectives import Classification
from netsim.learning.oracle import Oracle
from netsim.learning.rates import Rates
from netsim.learning.sampling import Batches
from netsim.learning.schedules import Constant
from netsim.learning.task import TrainingTask

MakeTask = Callable[..., TrainingTask]
SAMPLES, FEATURES, CLASSES = 12, 2, 3
LR = 0.1
N = (FEATURES + 1) * CLASSES


class Scripted(Batches):
    """Draws what it is told to."""

    rows = np.array([0])

    def draw(self, client: int, round: int, step: int) -> np.ndarray:
        return self.rows


def oracle(
    batch: int = 1,
    kind: type[Batches] = Batches,
    strategy: type[Gradients] = Products,
    before: Sequence[nn.Module] = (),
) -> Oracle:
    """One client, all samples; ``before``: what they go through first."""
    rng = np.random.default_rng(4)
    inputs = torch.from_numpy(rng.normal(size=(SAMPLES, FEATURES)).astype(np.float32))
    labels = torch.from_numpy(np.arange(SAMPLES) % CLASSES)
    model = nn.Sequential(*before, nn.Linear(FEATURES, CLASSES))
    problem = Problem(FlatModule(model), inputs, labels, Classification())
    batches = kind([np.arange(SAMPLES)], batch, Streams(1))
    gradients = strategy.of(problem, Load(np.array([batch])))
    assert gradients is not None
    apart = None if before else Stacked(problem, 5, batch=1)
    return Oracle(batches, gradients, Loop(problem, width=1), apart)


def point(seed: int) -> torch.Tensor:
    """Somewhere in the parameters' space, Float32[1, N]."""
    return torch.randn(1, N, generator=torch.Generator().manual_seed(seed))


def block(params_1N: torch.Tensor, round: int = 0) -> Block:
    return Block([Job(0, round, params_1N[0].numpy())], [9], params_1N)


def twin(estimates: Any) -> Any:
    """The same estimator with a memory of its own."""
    other = copy.copy(estimates)
    memories = {name: memory for name, memory in vars(other).items() if isinstance(memory, dict)}
    vars(other).update(copy.deepcopy(memories))
    return other


@pytest.mark.parametrize("estimator", [Svrg(period=5), Saga()], ids=lambda each: each.kind)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_mean_over_all_batches_is_the_full_gradient(
    estimator: Any, strategy: type[Gradients]
) -> None:
    """Exactly (1e-6), two steps after the first, over all 66 batches of two samples."""
    source = oracle(2, Scripted, strategy)
    estimates = estimator.start(source)
    for step in range(3):
        source.batches.rows = np.array([step, 7])
        estimates(block(point(step)), step)
    x, found = point(3), []
    for rows in combinations(range(SAMPLES), 2):
        source.batches.rows = np.array(rows)
        found.append(twin(estimates)(block(x), 3).gradients_WN[0])
    full = source.whole(x, 0).gradients_WN[0]
    assert torch.allclose(torch.stack(found).mean(0), full, atol=1e-6)
    assert torch.stack(found).std(0).max() > 0.05


@pytest.mark.parametrize("estimator", [Svrg(), Saga()], ids=lambda each: each.kind)
def test_the_first_estimate_is_the_full_gradient(estimator: Any) -> None:
    """Whatever the batch; the loss is that over all samples too."""
    source = oracle(1)
    found = estimator.start(source)(block(point(1)), 0)
    full = source.whole(point(1), 0)
    assert torch.allclose(found.gradients_WN, full.gradients_WN, atol=1e-7)
    assert torch.allclose(found.losses_W, full.losses_W)


def test_svrg_drops_the_same_at_both_points() -> None:
    """At its anchor the estimate is what it remembers, however many masks were drawn since."""
    source = oracle(SAMPLES, strategy=Loop, before=[nn.Dropout(0.5)])
    estimates, x = Svrg().start(source), point(1)
    full = estimates(block(x), 0).gradients_WN
    for step in (1, 2):
        again = estimates(block(x), step).gradients_WN
        assert torch.equal(again, full)
        elsewhere = estimates(block(point(2)), step).gradients_WN
        assert not torch.allclose(elsewhere, full, atol=0.01)


def test_an_anchor_is_renewed_every_period_rounds() -> None:
    """With period 2 in rounds 0, 2, 4; a client that missed one has the older anchor."""
    source = oracle(1)

    def exact(estimates: Any, round: int) -> bool:
        x = point(10 + round)
        found = estimates(block(x, round), 0).gradients_WN
        return bool(torch.equal(found, source.whole(x, 0).gradients_WN))

    every = Svrg(period=2).start(source)
    assert [exact(every, round) for round in range(5)] == [True, False, True, False, True]
    late = Svrg(period=2).start(source)
    assert [exact(late, round) for round in (1, 3, 4)] == [True, False, True]


def gradient_norms(kind: str, rounds: int) -> list[float]:
    """‖∇f‖ at the start of each round of 12 steps on one sample each."""
    settings = {"dataset": "digits", "model": "mlp", "batch": 1, "local_steps": SAMPLES}
    config = TaskConfig.model_validate(settings | {"lr": LR, "estimator": kind})
    source = oracle(1)
    rates = Rates(LR, Constant(), METRIC["class"])
    training = LocalTraining(config, source, Chance(Streams(1), needed=False), rates)
    x = point(1)[0].numpy().copy()
    norms = []
    for round in range(rounds):
        norms.append(float(source.whole(torch.from_numpy(x)[None], 0).gradients_WN.norm()))
        job = Job(0, round, x.copy())
        training.run([job])
        x = x - np.float32(LR) * job.result()
    return norms


@pytest.mark.parametrize("kind", ["svrg", "saga"])
def test_it_converges_linearly_where_sgd_stalls(kind: str) -> None:
    """Each 20 rounds divide ‖∇f‖ by 5 and more; SGD at the same rate never gets below 1e-2."""
    norms = gradient_norms(kind, 81)
    assert all(later < earlier / 5 for earlier, later in pairwise(norms[::20]))
    assert norms[-1] < 3e-5
    assert min(gradient_norms("sgd", 41)) > 1e-2


def test_without_its_memory_saga_is_refused(
    make_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line with the numbers and what to write instead, before anything is computed."""
    monkeypatch.setattr("netsim.learning.estimators.saga.MOST_BYTES", 2**26)
    with pytest.raises(Infeasible, match=r"17098 parameters .* 1438 samples, 0.1 GiB, .*svrg"):
        make_task(estimator="saga")


@pytest.mark.parametrize("estimator", ["svrg", "saga"])
def test_unread_updates_advance_what_is_remembered(make_task: MakeTask, estimator: str) -> None:
    """Reading all rounds or only the last gives the same bits."""
    settings = {"batch": 5, "local_steps": 2, "samples_per_client": 20}
    read, unread = (make_task(estimator=estimator, **settings) for _ in range(2))
    for round in range(3):
        expected = read.update(0, read.initial, round).value()
        last = unread.update(0, unread.initial, round)
    assert np.array_equal(last.value(), expected)


@pytest.mark.parametrize("model", ["mlp", {"kind": "resnet9", "width": 8}], ids=str)
def test_clients_may_be_at_different_rounds(make_task: MakeTask, model: Any) -> None:
    """In one block some renew their anchor and others use it: the bits of each one alone, with
    running statistics too."""
    settings = {"model": model, "batch": 5, "local_steps": 2, "samples_per_client": 20}
    mixed, alone = (
        make_task(estimator={"kind": "svrg", "period": 2}, **settings) for _ in range(2)
    )
    for task in (mixed, alone):
        for k in range(4):
            task.update(k, task.initial, 0).value()
    rounds = [1, 2, 1, 4]
    together = [mixed.update(k, mixed.initial, rounds[k]) for k in range(4)]
    expected = [alone.update(k, alone.initial, rounds[k]).value() for k in range(4)]
    assert all(np.array_equal(u.value(), e) for u, e in zip(together, expected, strict=True))


@pytest.mark.parametrize("rounds", [range(4), [1, 3, 4, 7]], ids=["all rounds", "some rounds"])
@pytest.mark.parametrize(
    "settings",
    [
        {"estimator": "sgd", "local_steps": 3},
        {"estimator": "sgd", "local_epochs": 2},
        {"estimator": {"kind": "svrg", "period": 2}, "local_steps": 3},
        {"estimator": "svrg", "local_epochs": 1},
        {"estimator": "saga", "local_steps": 3},
    ],
    ids=str,
)
def test_work_is_the_number_of_gradients_computed(
    make_task: MakeTask,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any],
    rounds: Sequence[int],
) -> None:
    """Counted where they are computed, for a client with 23 samples in all rounds or in some."""
    counts = [0]
    settings = settings | {"batch": 5, "samples_per_client": 23}
    task = make_task(clients=1, **settings)
    config = TaskConfig.model_validate({"dataset": "digits", "model": "mlp", "lr": 1} | settings)
    for strategy in (Loop, Stacked, Products):
        plain = strategy.__call__

        def counted(self: Any, params: Any, rows: Any, plain: Any = plain) -> Any:
            counts[-1] += sum(len(row) for row in rows if row is not None)
            return plain(self, params, rows)

        monkeypatch.setattr(strategy, "__call__", counted)
    for round in rounds:
        task.update(0, task.initial, round).value()
        assert counts[-1] == config.work_of(23, round, begins=round == rounds[0])
        counts.append(0)


@pytest.mark.parametrize("estimator", ["sgd", "svrg"])
def test_running_statistics_are_those_of_the_step_s_batch(
    make_task: MakeTask, estimator: str
) -> None:
    """Whatever else an estimator looks at; SVRG's first step looks at all samples."""
    settings = {"model": {"kind": "resnet9", "width": 8}, "samples_per_client": 6, "batch": 6}
    task = make_task(estimator=estimator, lr=0.05, **settings)
    plain = make_task(lr=0.05, **settings)
    ours, theirs = (each.update(1, each.initial, 0).value() for each in (task, plain))
    assert np.allclose(ours, theirs, atol=1e-5)
    second = make_task(estimator=estimator, lr=0.05, local_steps=3, **settings)
    assert np.isfinite(second.update(1, second.initial, 0).value()).all()


def test_saga_needs_samples_one_by_one(make_task: MakeTask) -> None:
    """Batch normalisation leaves none; group normalisation does."""
    with pytest.raises(Infeasible, match="saga needs gradients of single samples"):
        make_task(estimator="saga", model={"kind": "resnet9", "width": 8})
    group = {"kind": "resnet9", "width": 8, "norm": "group"}
    make_task(estimator="saga", model=group, samples_per_client=2)
