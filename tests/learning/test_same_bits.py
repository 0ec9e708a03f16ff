"""An update's bits never depend on who else asked, on threads or on the process."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask
from netsim.wire.deferred import Deferred

CLIENTS = 13
CASES: dict[str, dict[str, Any]] = {
    "mlp, products, whole parts": {"model": "mlp"},
    "mlp, products, single samples": {"model": "mlp", "batch": 1},
    "mlp, products, batches": {"model": "mlp", "batch": 5, "local_steps": 2, "momentum": 0.5},
    "lenet5, products": {"model": "lenet5", "batch": 4, "local_steps": 2},
    "lenet5, products, pieces": {"model": "lenet5"},
    "mlp, stacked": {"model": "mlp", "batch": 5, "momentum": 0.5, "gradients": "stacked"},
    "lenet5, stacked": {"model": "lenet5", "batch": 4, "local_steps": 2, "gradients": "stacked"},
    "mlp, shared": {"model": "mlp", "batch": 5, "gradients": "shared"},
    "lenet5, shared": {"model": "lenet5", "batch": 4, "momentum": 0.5, "gradients": "shared"},
    "lenet5, loop": {"model": "lenet5", "batch": 30, "gradients": "loop"},
    "resnet9, loop": {"model": {"kind": "resnet9", "width": 8}, "batch": 3},
    "mlp, products, passes": {"model": "mlp", "batch": 40, "local_epochs": 2, "momentum": 0.5},
    "mlp, products, svrg": {"model": "mlp", "batch": 5, "local_steps": 3, "estimator": "svrg"},
    "mlp, products, saga": {"model": "mlp", "batch": 5, "local_steps": 3, "estimator": "saga"},
    "lenet5, stacked, svrg": {
        "model": "lenet5",
        "batch": 4,
        "local_steps": 2,
        "estimator": "svrg",
        "gradients": "stacked",
    },
    "resnet9, loop, passes": {
        "model": {"kind": "resnet9", "width": 8},
        "batch": 40,
        "local_epochs": 1,
        "samples_per_client": 90,
    },
}


def build(case: str) -> TrainingTask:
    settings = {"dataset": "digits", "lr": 0.1, "partition": {"kind": "dirichlet", "alpha": 0.2}}
    config = TaskConfig.model_validate(settings | CASES[case])
    return TrainingTask.build(config, CLIENTS, Streams(3))


def starts(task: TrainingTask, shared: bool) -> list[Deferred[Any]]:
    """The same model for all clients, or one for each."""
    if shared:
        return [task.initial] * CLIENTS
    noise = np.random.default_rng(5).normal(0, 0.02, (CLIENTS, task.n)).astype(np.float32)
    return [Deferred.of(task.initial.value() + row) for row in noise]


REFERENCES: dict[tuple[str, bool], list[np.ndarray]] = {}


def alone(case: str, shared: bool) -> list[np.ndarray]:
    """Each client's update when nobody else asks; computed once."""
    if (case, shared) not in REFERENCES:
        task = build(case)
        models = starts(task, shared)
        REFERENCES[case, shared] = [task.update(k, models[k], 0).value() for k in range(CLIENTS)]
    return REFERENCES[case, shared]


@pytest.mark.parametrize("case", CASES)
@given(
    asked=st.permutations(range(CLIENTS)),
    count=st.integers(1, CLIENTS),
    shared=st.booleans(),
    data=st.data(),
)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whoever_else_asks(
    case: str, asked: list[int], count: int, shared: bool, data: Any
) -> None:
    """Any clients, registered in any order, read in any other: the bits of each one alone."""
    task = build(case)
    models = starts(task, shared)
    updates = {k: task.update(k, models[k], 0) for k in asked[:count]}
    for k in data.draw(st.permutations(sorted(updates))):
        assert np.array_equal(updates[k].value(), alone(case, shared)[k])


@pytest.mark.parametrize("case", CASES)
def test_rounds_may_meet_in_a_block(case: str) -> None:
    """A client far ahead changes nothing for those behind, nor they for it."""
    lone, mixed = build(case), build(case)
    expected = [lone.update(k, lone.initial, 4 if k == 2 else 0).value() for k in range(CLIENTS)]
    updates = [mixed.update(k, mixed.initial, 4 if k == 2 else 0) for k in range(CLIENTS)]
    assert all(np.array_equal(u.value(), e) for u, e in zip(updates, expected, strict=True))


@pytest.mark.parametrize("case", CASES)
def test_a_model_or_its_copies(case: str) -> None:
    """Whether clients hold one model or each its own copy of it, and some another one."""
    task = build(case)
    copies = [Deferred.of(task.initial.value().copy()) for _ in range(CLIENTS)]
    copies[4], copies[9] = (Deferred.of(each.value() * 2) for each in (copies[4], copies[9]))
    updates = [task.update(k, copies[k], 0) for k in range(CLIENTS)]
    for k in set(range(CLIENTS)) - {4, 9}:
        assert np.array_equal(updates[k].value(), alone(case, True)[k])


def test_clients_keep_their_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Client k is computed in lane k % W of W, whoever asks first; all 13 take two blocks of 7."""
    task = build("mlp, stacked")
    blocks, run = [], task._training.run
    monkeypatch.setattr(task._training, "run", lambda lanes: (blocks.append(lanes), run(lanes)))
    updates = [task.update(k, task.initial, 0) for k in range(CLIENTS)]
    for k in (9, 3, 12, 0, 8):
        updates[k].value()
    assert [[lane and lane.client for lane in lanes] for lanes in blocks] == [
        [0, 1, 9, 3, 4, 5, 6],
        [7, 8, 2, 10, 11, 12, None],
    ]


@pytest.mark.parametrize("case", CASES)
def test_threads_of_torch_do_not_matter(case: str) -> None:
    """With two threads the bits of one; afterwards torch has its two again."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        task = build(case)
        updates = [task.update(k, task.initial, 0) for k in range(CLIENTS)]
        assert all(map(np.array_equal, (u.value() for u in updates), alone(case, True)))
        two = task.evaluate([task.initial])
        assert torch.get_num_threads() == 2
        torch.set_num_threads(1)
        assert task.evaluate([task.initial]) == two
    finally:
        torch.set_num_threads(before)


PROGRAM = """
import hashlib
from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask
from netsim.wire.deferred import Deferred

digest = hashlib.sha256()
for model, batch in (("lenet5", "full"), ("mlp", 5)):
    settings = {"dataset": "digits", "lr": 0.1, "momentum": 0.9, "samples_per_client": 30}
    config = TaskConfig(model=model, batch=batch, **settings)
    task = TrainingTask.build(config, 7, Streams(3))
    held = task.initial
    for round in range(2):
        updates = [task.update(k, held, round) for k in range(7)]
        held = Deferred.of(held.value() - task.lr * sum(u.value() for u in updates) / 7)
    digest.update(held.value().tobytes())
    digest.update(repr(task.evaluate([held])).encode())
print(digest.hexdigest())
"""


def test_processes_agree() -> None:
    """Whatever the threads the user asks for and Python's hash seed."""
    digests = set()
    for threads, hash_seed in (("1", "0"), ("2", "17")):
        variables = {
            "OMP_NUM_THREADS": threads,
            "MKL_NUM_THREADS": threads,
            "PYTHONHASHSEED": hash_seed,
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
