"""How many clients' updates are held at once."""

import weakref

import numpy as np
import pytest

from netsim.wire.deferred import Deferred

CLIENTS = 12


@pytest.fixture
def counting(toy):
    """The toy task, which counts how many of its updates have values at once."""

    class Counting(toy):
        most, computed = 0, 0

        def __init__(self, clients=CLIENTS, n=40):
            super().__init__(clients, n)
            self._alive = weakref.WeakSet()

        def update(self, client, model, round):
            made = super().update(client, model, round)

            def value():
                vector = made.value().view(Held)
                self._alive.add(vector)
                self.most = max(self.most, len(self._alive))
                self.computed += 1
                return vector

            return Deferred(value)

    class Held(np.ndarray):
        __hash__ = object.__hash__

    return Counting


HELD_ONE_BY_ONE = [
    {"kind": "fedavg"},
    {"kind": "fedadam"},
    {"kind": "eris"},
    {"kind": "eris", "aggregators": 3, "masks": "random", "redraw": True},
    {"kind": "fedavg_ldp", "ldp": {"noise_multiplier": 0.5}},
    {"kind": "fedavg", "aggregation": {"kind": "fsa", "aggregators": 5}},
    {"kind": "cepam_gaussian", "lattice_dim": 2},
]


@pytest.mark.parametrize("protocol", HELD_ONE_BY_ONE, ids=str)
@pytest.mark.parametrize("settings", [{}, {"barrier": "phase"}, {"wire": "encode"}], ids=str)
def test_updates_are_held_one_by_one(play, counting, protocol, settings):
    """Whatever the number of clients and of owners; an update is computed once."""
    task = counting()
    play(protocol, task, rounds=3, **settings)
    assert task.most <= 2
    assert task.computed == 3 * CLIENTS


@pytest.mark.parametrize("kind", ["fedavg", "eris"])
def test_without_barriers_few_are_held(play, counting, kind):
    """Of a round that is still on its way only those are held that somebody still waits for."""
    task = counting()
    network = {"uplink": [f"{1 + 3 * k} MB/s" for k in range(CLIENTS)], "latency": "2 ms"}
    play({"kind": kind}, task, rounds=4, barrier="none", network=network)
    assert task.most <= (2 if kind == "fedavg" else CLIENTS)
    assert task.computed == 4 * CLIENTS


FAILURES = [
    {"nodes": {"kind": "per_round", "rate": 0.3}},
    {"links": {"kind": "per_round", "rate": 0.3}},
    {"aggregators": 0.3},
    {"deadline": "1 us"},
]


@pytest.mark.parametrize("kind", ["fedavg", "eris"])
@pytest.mark.parametrize("failures", FAILURES, ids=str)
def test_failures_leave_no_update_behind(play, counting, kind, failures):
    """What was sent to a node that was away is not held for ever."""
    task = counting()
    play({"kind": kind}, task, rounds=5, failures=failures)
    assert task.most <= 2
