"""Full runs, and comparing them to the bit."""

import dataclasses
import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from netsim.results.records import RunResult, Transfers
from netsim.studies.replay.record import Record
from netsim.studies.replay.training import train
from netsim.studies.run import task_factory
from netsim.studies.scenario import Scenario

TASK = {
    "dataset": "digits",
    "model": "mlp",
    "partition": {"kind": "dirichlet", "alpha": 1.0},
    "samples_per_client": 30,
    "batch": 16,
    "local_steps": 2,
    "lr": 0.1,
    "momentum": 0.5,
}


@pytest.fixture(autouse=True, scope="package")
def _frozen():
    """Checkpoints look for garbage; what was imported is not looked through each time."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def scenario(read) -> Callable[..., Scenario]:
    """The tiny scenario with one run, fewer samples, and other settings and network in it."""

    def make(run: dict[str, Any], network: dict[str, Any] | None = None, **changes: Any):
        changes = {"task": TASK, "evaluate": {"every": 2}} | changes
        rates = {"nodes": 6, "uplink": "1 MB/s", "downlink": "2 MB/s", "latency": "1 ms"}
        return read(runs=[run], network=rates | (network or {}), **changes)

    return make


@pytest.fixture
def trained() -> Callable[[Scenario], tuple[RunResult, Record | None]]:
    """A full run and its record."""

    def go(scenario: Scenario):
        make = task_factory(scenario, None)
        outcome, record = train(scenario, scenario.runs[0], "run", make, lambda _: None)
        return outcome.result, record

    return go


@pytest.fixture
def same() -> Callable[[RunResult, RunResult], None]:
    """Every field of two results is equal, to the bit."""

    def check(one: RunResult, other: RunResult) -> None:
        for name in Transfers.columns():
            assert np.array_equal(getattr(one.transfers, name), getattr(other.transfers, name))
        for table in ("links", "nodes"):
            for name, mine in vars(getattr(one, table)).items():
                assert np.array_equal(mine, getattr(getattr(other, table), name)), name
        assert one.transfers.node_names == other.transfers.node_names
        assert one.transfers.kinds == other.transfers.kinds
        for field in dataclasses.fields(one):
            if field.name not in ("transfers", "links", "nodes"):
                assert getattr(one, field.name) == getattr(other, field.name), field.name

    return check
