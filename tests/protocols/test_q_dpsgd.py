"""Q-DPSGD-1: its degrees, its quantiser and its volume."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from netsim.learning.volume import VolumeTask
from netsim.protocols.mean_degree import MeanDegree
from netsim.results import measure
from netsim.theory.distribution import qdpsgd_tables_s
from netsim.theory.volumes import qdpsgd_volume

PLAIN = {"kind": "q_dpsgd_1", "ldp": None}


@pytest.mark.parametrize(
    ("nodes", "density", "mean", "degrees", "period"),
    [
        (10, 0.4, "18/5", {3, 4}, 5),
        (25, 0.4, "48/5", {8, 10}, 5),
        (50, 0.4, "98/5", {19, 20}, 5),
        (5, 1.0, "4", {4}, 1),
        (6, 0.4, "2", {2}, 1),
        (2, 0.4, "2/5", {0, 1}, 5),
        (3, 0.07, "7/50", {0, 2}, 100),
        (1, 0.4, "0", {0}, 1),
    ],
)
def test_degrees_are_next_to_the_mean_and_make_it_exactly(nodes, density, mean, degrees, period):
    """Those of ERIS's tables first; odd numbers of nodes allow even degrees only."""
    degree = MeanDegree(density, nodes)
    drawn = [degree.of(round) for round in range(2 * period)]
    assert degree.mean == Fraction(mean)
    assert set(drawn) == degrees
    assert Fraction(sum(drawn[:period]), period) == degree.mean
    assert drawn[period:] == drawn[:period]
    assert all(each < nodes and each * nodes % 2 == 0 for each in drawn)


def test_without_quantiser_and_noise_it_is_dpsgd(play, toy):
    """32 bits, all others neighbours: the models of D-PSGD on the complete graph, to the bit."""
    whole = PLAIN | {"bits": 32, "density": 1}
    dpsgd = play({"kind": "dpsgd", "overlay": "complete"}, toy(5, 40), 3)
    assert np.array_equal(play(whole, toy(5, 40), 3).models, dpsgd.models)


def test_more_bits_come_closer_to_it(play, toy):
    """Each two bits more take the largest difference down by three at least."""
    dpsgd = play({"kind": "dpsgd", "overlay": "complete"}, toy(5, 400), 1).models
    differences = [
        np.abs(np.subtract(play(PLAIN | {"bits": b, "density": 1}, toy(5, 400), 1).models, dpsgd))
        for b in (4, 6, 8, 10, 31)
    ]
    largest = [each.max() for each in differences]
    assert all(more < less / 3 for less, more in pairwise(largest))
    assert 0 < largest[1] < 0.1
    assert largest[-1] < 1e-6


def test_a_model_is_rounded_without_bias_to_64_values(play, toy):
    """What node 0 takes of node 1, over 400 rounds: on the grid, and right in the mean.

    Within 5.5 standard errors of each of 20 coordinates: fails by chance with probability
    below 20 · 4e-8.
    """
    task = toy(2, 20, lr=1.0)
    held = [np.zeros(20, np.float32), np.linspace(-1, 0.7, 20, dtype=np.float32)]
    task.update = lambda k, model, round: type(model).of(model.value() - held[k])
    run = play(PLAIN | {"density": 1}, task, 400)
    got = 2 * np.array([models[0] for models in run.models], np.float64)
    steps = (got + 1) * 63 / 2
    assert np.abs(steps - np.round(steps)).max() < 1e-3
    error = got.std(0) / np.sqrt(400) + 1e-6
    assert (np.abs(got.mean(0) - held[1]) < 5.5 * error).all()
    assert np.abs(got - held[1]).max() < 2 / 63 + 1e-6


@pytest.mark.parametrize("step", [0.25, 1.0])
def test_the_consensus_step_scales_what_comes_from_others(play, toy, step):
    """x ← (1 − ε + ε/3) x + ε/3 · (both others)."""
    task = toy(3, 30)
    exact = PLAIN | {"bits": 32, "density": 1, "consensus_step": step}
    run = play(exact, task, 1)
    start = task.initial
    half = np.array([start.value() - 0.1 * task.update(k, start, 0).value() for k in range(3)])
    expected = (1 - step) * half + step * half.mean(0)
    assert np.array(run.models[0]) == pytest.approx(expected, abs=1e-6)


def test_the_weight_of_a_model_that_fails_goes_to_the_own_one(play, toy, those):
    """Node 2 of three misses node 1."""
    task = toy(3, 30)
    lost = those("model", sender=1, receiver=2)
    run = play(PLAIN | {"bits": 32, "density": 1}, task, 1, trouble=lost)
    start = task.initial
    half = [start.value() - 0.1 * task.update(k, start, 0).value() for k in range(3)]
    assert run.models[0][2] == pytest.approx((half[0] + 2 * half[2]) / 3, abs=1e-6)


@pytest.mark.parametrize("clients", [10, 25, 50])
def test_volume_of_the_tables(play, clients):
    """Over five rounds each node sends and receives five times its closed form, to the bit."""
    n = 1000
    network = {"count": "payload"}
    run = play(PLAIN, VolumeTask(n, clients), 5, network=network)
    t, volume = run.transfers, qdpsgd_volume(clients, 32 * n, 0.1875, 0.4)
    sent = np.bincount(t.sender, t.sent_bits, clients)
    received = np.bincount(t.receiver, t.sent_bits, clients)
    assert sent == pytest.approx(5 * volume.sent_bits, rel=1e-15, abs=0)
    assert received.tolist() == sent.tolist()
    assert len(t) == round(5 * volume.total_messages)


@pytest.mark.parametrize("clients", [10, 25])
def test_time_of_the_tables_is_that_of_half_duplex_links(play, clients):
    """In the mean over five rounds; on full duplex links half of it."""
    rates = np.full(clients, 8e6)
    formula_s = qdpsgd_tables_s(32_000, 0.1875, 0.4, rates, rates)
    for half_duplex, expected in ((True, formula_s), (False, formula_s / 2)):
        network = {"count": "payload", "half_duplex": half_duplex}
        run = play(PLAIN, VolumeTask(1000, clients), 5, network=network)
        times = list(measure.distribution_times(run.transfers).values())
        assert np.mean(times) == pytest.approx(expected, rel=1e-9)
        assert run.player.protocol.formula()[1] == pytest.approx(formula_s, rel=1e-15)


def test_privacy_is_accounted(play, toy):
    """As for other protocols with ``ldp``; nothing to tell without."""
    assert play({"kind": "q_dpsgd_1"}, toy(3, 20), 2).player.protocol.notes()["epsilon"] > 0
    assert not play(PLAIN, toy(3, 20), 2).player.protocol.notes()
