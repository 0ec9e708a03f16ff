"""Mixing weights, read off a run in which each client's half step is a unit vector."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import Complete, KRegular, RandomRegular, Ring, Star, random_regular
from netsim.wire.deferred import Deferred

CLIENTS = 6


@pytest.fixture
def mixing(play, toy):
    """The matrix W of one round: row k is the model of client k when all others are e_j."""

    def play_one(protocol, **settings):
        task = toy(CLIENTS, CLIENTS, lr=1.0)
        task.initial = Deferred.of(np.zeros(CLIENTS, np.float32))
        task.update = lambda client, model, round: Deferred.of(
            -np.eye(CLIENTS, dtype=np.float32)[client]
        )
        return np.array(play(protocol, task, 1, **settings).models[0])

    return play_one


OVERLAYS = [
    Ring(),
    Complete(),
    Star(),
    KRegular(degree=3),
    RandomRegular(degree=4),
]


@pytest.mark.parametrize("overlay", OVERLAYS, ids=lambda overlay: overlay.kind)
def test_weights_of_dpsgd_are_doubly_stochastic(mixing, overlay):
    """Symmetric, every row and column sums to one, zero exactly where there is no edge."""
    weights_KK = mixing({"kind": "dpsgd", "overlay": overlay.model_dump()})
    assert weights_KK.sum(0) == pytest.approx(np.ones(CLIENTS))
    assert weights_KK.sum(1) == pytest.approx(np.ones(CLIENTS))
    assert weights_KK == pytest.approx(weights_KK.T)
    graph = overlay.graph(CLIENTS, Streams(7), 0)
    for i in range(CLIENTS):
        linked = {i, *graph[i]}
        if len(linked) < CLIENTS or overlay.kind != "star":
            assert set(np.flatnonzero(weights_KK[i])) <= linked
        assert {*graph[i]} <= set(np.flatnonzero(weights_KK[i]))


def test_weights_of_dpsgd_are_metropolis_hastings(mixing):
    """On a star 1/(1 + 5) for every edge; on a regular graph 1/(r + 1) for all."""
    star = mixing({"kind": "dpsgd", "overlay": "star"})
    assert star[0] == pytest.approx(np.full(CLIENTS, 1 / 6))
    assert star[1, :2] == pytest.approx([1 / 6, 5 / 6])
    ring = mixing({"kind": "dpsgd", "overlay": "ring"})
    assert ring[2] == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 0, 0])


def test_epidemic_averages_what_arrived_with_its_own(mixing):
    """1/(r + 1) for each neighbour in this round's graph and itself."""
    weights_KK = mixing({"kind": "epidemic", "degree": 3})
    graph = random_regular(3, CLIENTS, Streams(7), 0)
    for i in range(CLIENTS):
        assert set(np.flatnonzero(weights_KK[i])) == {i, *graph[i]}
        assert weights_KK[i][weights_KK[i] > 0] == pytest.approx(np.full(4, 1 / 4))


def test_the_weight_of_a_model_that_fails_goes_to_the_own_one(mixing, those):
    """In D-PSGD; in Epidemic Learning the others that arrived share it equally."""
    lost = those("model", sender=1, receiver=2)
    dpsgd = mixing({"kind": "dpsgd"}, trouble=lost)
    assert dpsgd[2] == pytest.approx([0, 0, 2 / 3, 1 / 3, 0, 0])
    assert dpsgd[1] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0, 0, 0])
    epidemic = mixing({"kind": "epidemic", "degree": 5}, trouble=lost)
    assert epidemic[2] == pytest.approx([1 / 5, 0, 1 / 5, 1 / 5, 1 / 5, 1 / 5])


def test_fedavg_weighs_by_samples_among_those_that_arrived(mixing, those):
    """Samples are 3, 4, 5, 3, 4, 5; client 2's update is lost."""
    every = mixing({"kind": "fedavg"})
    assert every[0] == pytest.approx(np.array([3, 4, 5, 3, 4, 5]) / 24)
    without = mixing({"kind": "fedavg"}, trouble=those("update", sender=2))
    assert without[0] == pytest.approx(np.array([3, 4, 0, 3, 4, 5]) / 19)
    uniform = mixing({"kind": "fedavg", "weights": "uniform"})
    assert uniform[0] == pytest.approx(np.full(6, 1 / 6))


def test_when_no_update_arrives_the_model_stays(play, toy, those):
    """FedAvg sends the old model again."""
    task = toy(3, 20)
    run = play({"kind": "fedavg"}, task, 2, trouble=those("update", round=0))
    assert np.array_equal(run.models[0][0], task.initial.value())
    assert not np.array_equal(run.models[1][0], task.initial.value())


def test_a_client_that_misses_the_model_trains_on_the_one_it_has(play, toy, those):
    """Client 1 never hears of round 0 and starts round 1 from the initial model."""
    task, starts = toy(3, 20), {}
    update = task.update

    def watched(client, model, round):
        starts[client, round] = model.value()
        return update(client, model, round)

    task.update = watched
    run = play({"kind": "fedavg"}, task, 2, trouble=those("model", round=0, receiver=1))
    assert np.array_equal(starts[1, 1], task.initial.value())
    assert np.array_equal(starts[2, 1], run.models[0][0])
