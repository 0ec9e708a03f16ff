"""EL-Local: who sends to whom, and what a node makes of it."""

from itertools import permutations

import numpy as np
import pytest

from netsim.learning.volume import VolumeTask
from netsim.results import measure
from netsim.theory.distribution import neighbours_s

CLIENTS = 6


def sent_to(run, round):
    """Bool[K, K]: who sent to whom in a round."""
    t = run.transfers.select(run.transfers.round == round)
    sent = np.zeros((CLIENTS, CLIENTS), int)
    np.add.at(sent, (t.sender, t.receiver), 1)
    return sent


@pytest.mark.parametrize("sends", [1, 3, 5])
def test_each_node_sends_to_so_many_others(play, sends):
    """Never to itself, never twice; other ones in other rounds unless it is all of them."""
    run = play({"kind": "el_local", "sends": sends}, VolumeTask(10, CLIENTS), 4)
    rounds = [sent_to(run, round) for round in range(4)]
    for sent in rounds:
        assert sent.max() == 1
        assert sent.trace() == 0
        assert sent.sum(1).tolist() == [sends] * CLIENTS
    assert all((sent == rounds[0]).all() for sent in rounds) == (sends == 5)


def test_all_others_are_as_likely(play):
    """2 of 5 others over 400 rounds: no pair is off its mean of 160 by 5.5 deviations, nor is
    how often two nodes send to the same third, 64.

    A right implementation fails with probability below 90 · 4e-8.
    """
    run = play({"kind": "el_local", "sends": 2}, VolumeTask(1, CLIENTS), 400)
    rounds = np.array([sent_to(run, round) for round in range(400)])
    counts = rounds.sum(0)[~np.eye(CLIENTS, dtype=bool)]
    assert np.abs(counts - 160).max() < 5.5 * np.sqrt(400 * 0.4 * 0.6)
    both = [
        (rounds[:, i, j] & rounds[:, k, j]).sum() for i, k, j in permutations(range(CLIENTS), 3)
    ]
    assert np.abs(np.subtract(both, 64)).max() < 5.5 * np.sqrt(400 * 0.16 * 0.84)


def test_it_averages_what_arrived_with_its_own(play, toy):
    """1/(1 + arrivals) for each; a node nothing comes to keeps its own half step."""
    task = toy(CLIENTS, 30)
    run = play({"kind": "el_local", "sends": 1}, task, 1)
    start = task.initial
    half = [start.value() - 0.1 * task.update(k, start, 0).value() for k in range(CLIENTS)]
    into = sent_to(run, 0).T
    assert 0 in into.sum(1), "some node gets nothing under this seed"
    for k in range(CLIENTS):
        mixed = (half[k] + into[k] @ half) / (1 + into[k].sum())
        assert run.models[0][k] == pytest.approx(mixed, abs=1e-6)


def test_a_model_that_fails_is_one_less(play, toy, those):
    """All send to all; what node 1 sends node 2 is lost."""
    task = toy(3, 20)
    run = play(
        {"kind": "el_local", "sends": 2}, task, 1, trouble=those("model", sender=1, receiver=2)
    )
    start = task.initial
    half = [start.value() - 0.1 * task.update(k, start, 0).value() for k in range(3)]
    assert run.models[0][2] == pytest.approx((half[0] + half[2]) / 2, abs=1e-6)
    assert run.models[0][0] == pytest.approx(sum(half) / 3, abs=1e-6)


def test_sending_to_all_is_epidemic_learning_on_the_complete_graph(play, toy):
    """s = r = K − 1: the same models, to the bit."""
    local, oracle = {"kind": "el_local", "sends": 4}, {"kind": "epidemic", "degree": 4}
    runs = [play(protocol, toy(5, 50), 3) for protocol in (local, oracle)]
    assert np.array_equal(runs[0].models, runs[1].models)


def test_the_time_is_that_of_the_busiest_receiver(play):
    """On equal links: its in-degree · b / rate; ``formula`` has the mean degree."""
    run = play(
        {"kind": "el_local", "sends": 2}, VolumeTask(1000, CLIENTS), 3, network={"count": "payload"}
    )
    times = measure.distribution_times(run.transfers)
    rates = np.full(CLIENTS, 8e6)
    for round, time_s in times.items():
        sent = sent_to(run, round)
        assert time_s == pytest.approx(neighbours_s(32_000, sent.sum(1), sent.sum(0), rates, rates))
    assert run.player.protocol.formula() == ("s·b / min rate", 2 * 32_000 / 8e6)
