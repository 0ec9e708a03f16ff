"""Muffliato: the noise, the exchanges, and what they cost."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.volume import VolumeTask
from netsim.network.overlay import random_regular
from netsim.privacy.accounting import spent_epsilon
from netsim.protocols.muffliato import MuffliatoConfig
from netsim.results import measure

CLIENTS, SIZE = 6, 50
QUIET = {"kind": "muffliato", "noise": 0}


def halves(task):
    """Each client's model after its first local step, Float64[K, n]."""
    start = task.initial
    return np.array(
        [start.value() - task.lr * task.update(k, start, 0).value() for k in range(task.clients)],
        np.float64,
    )


@pytest.mark.parametrize("overlay", ["ring", "star", {"kind": "random_regular", "degree": 3}])
def test_without_noise_and_with_one_exchange_it_is_dpsgd(play, toy, overlay):
    """On the same overlay, the same models to the bit and the same messages."""
    dpsgd = play({"kind": "dpsgd", "overlay": overlay}, toy(CLIENTS, SIZE), 3)
    run = play(QUIET | {"gossip_rounds": 1, "overlay": overlay}, toy(CLIENTS, SIZE), 3)
    assert np.array_equal(run.models, dpsgd.models)
    assert np.array_equal(run.transfers.end_s, dpsgd.transfers.end_s)


@pytest.mark.parametrize("m", [1, 2, 5])
@pytest.mark.parametrize("barrier", ["none", "round", "phase"])
def test_each_exchange_averages_over_a_new_graph(play, toy, m, barrier):
    """The product of m matrices with 1/5 for a node and its 4 neighbours, every round's own."""
    task = toy(CLIENTS, SIZE)
    run = play(QUIET | {"gossip_rounds": m}, task, 1, barrier=barrier)
    models = halves(task)
    for exchange in range(m):
        graph = random_regular(4, CLIENTS, Streams(7), exchange)
        models = np.array([models[[k, *graph[k]]].mean(0) for k in range(CLIENTS)])
    assert np.array(run.models[0]) == pytest.approx(models, abs=1e-5)


def test_many_exchanges_reach_consensus(play, toy):
    """After 60 on a ring all have the mean of what they trained, noise included."""
    ring = {"gossip_rounds": 60, "overlay": "ring"}
    task = toy(CLIENTS, SIZE)
    models = np.array(play(QUIET | ring, task, 1).models[0])
    assert models == pytest.approx(np.tile(halves(task).mean(0), (CLIENTS, 1)), abs=1e-4)


def test_many_exchanges_need_no_deep_stack(play, toy):
    """More of them in a round than Python's stack is deep."""
    run = play(QUIET | {"gossip_rounds": 500}, toy(2, 3), 1)
    assert np.array(run.models[0][0]) == pytest.approx(run.models[0][1], abs=1e-6)


def test_the_noise_has_its_size_and_is_each_nodes_own(play, toy):
    """Without neighbours, σ = 0.5 over 4000 coordinates: within 5 standard errors (3e-7)."""
    task = toy(1, 4000)
    run = play({"kind": "muffliato", "noise": 0.5, "gossip_rounds": 1}, task, 2)
    start = type(task.initial).of(run.models[0][0])
    second = start.value() - np.float32(task.lr) * task.update(0, start, 1).value()
    first = run.models[0][0] - halves(task)[0]
    noises = [first, run.models[1][0] - second]
    for noise in noises:
        assert abs(noise.std() - 0.5) < 5 * 0.5 / np.sqrt(2 * 4000)
        assert abs(noise.mean()) < 5 * 0.5 / np.sqrt(4000)
    assert abs(np.corrcoef(*noises)[0, 1]) < 5 / np.sqrt(4000)


@pytest.mark.parametrize("m", [1, 10])
def test_volume_and_time_are_m_times_those_of_dpsgd(play, m):
    """m · r · b a node, m · r · b / rate on equal links."""
    run = play(QUIET | {"gossip_rounds": m}, VolumeTask(SIZE, 7), 2, network={"count": "payload"})
    sent = np.bincount(run.transfers.sender, run.transfers.sent_bits)
    assert sent.tolist() == [2 * m * 4 * 32 * SIZE] * 7
    _, formula_s = run.player.protocol.formula()
    assert formula_s == pytest.approx(m * 4 * 32 * SIZE / 8e6)
    times = measure.distribution_times(run.transfers)
    assert list(times.values()) == pytest.approx([formula_s] * 2, rel=1e-9)


def test_a_model_that_fails_gives_its_weight_to_the_own_one(play, toy, those):
    """In its exchange alone: on a ring of three node 2 misses both of node 1's."""
    task = toy(3, SIZE)
    ring = {"gossip_rounds": 2, "overlay": "ring"}
    run = play(QUIET | ring, task, 1, trouble=those("model", sender=1, receiver=2))
    models = halves(task)
    for _ in range(2):
        mean = models.mean(0)
        models = np.array([mean, mean, (2 * models[2] + models[0]) / 3])
    assert np.array(run.models[0]) == pytest.approx(models, abs=1e-6)


def test_epsilon_is_accounted_where_updates_are_clipped(play, toy):
    """σ over 2 · lr · C is the multiplier; without clipping no ε can be told."""
    clipped = {"kind": "muffliato", "noise": 0.4, "clip": 0.5, "gossip_rounds": 1}
    task = toy(3, SIZE)
    protocol = play(clipped, task, 4).player.protocol
    assert protocol.notes()["epsilon"] == spent_epsilon(0.4 / (2 * 0.1 * 0.5), 4, 1e-5)
    for settings in ({"clip": None}, {"noise": 0}):
        assert play(clipped | settings, task, 4).player.protocol.notes()["epsilon"] is None


def test_clipping_bounds_what_a_round_moves(play, toy):
    """By lr · C where there is neither noise nor a neighbour."""
    task = toy(1, SIZE)
    run = play(QUIET | {"clip": 0.5, "gossip_rounds": 1}, task, 1)
    moved = np.linalg.norm(run.models[0][0] - task.initial.value())
    assert moved == pytest.approx(0.05, rel=1e-4)


def test_its_overlay_is_checked():
    """A graph that does not exist is refused at its place."""
    settings = {"overlay": {"kind": "random_regular", "degree": 3}}
    found = MuffliatoConfig.model_validate(settings).problems(7)
    assert [where for where, _ in found] == [("overlay", "degree")]
    assert not list(MuffliatoConfig().problems(1))
