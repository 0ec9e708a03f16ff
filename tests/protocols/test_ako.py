"""Ako: whose turn it is, what is summed up, and what becomes of what fails."""

import numpy as np
import pytest

from netsim.learning.volume import VolumeTask
from netsim.results import measure
from netsim.results.records import DELIVERED
from netsim.theory.distribution import ako_tables_s, eq54_ako_s
from netsim.theory.volumes import ako_volume
from netsim.wire.shards import ContiguousShards

CLIENTS, SIZE = 5, 43
AWAY = {"nodes": {"kind": "per_round", "rate": 0.3}}


def by_hand(task, v, run):
    """The models after each round, from who got what of whom: a sum for each pair of nodes."""
    t, parts = run.transfers, ContiguousShards(task.n, v)
    clients = range(task.clients)
    models = [task.initial.value().astype(np.float64) for _ in clients]
    owed, turns = np.zeros((task.clients, task.clients, task.n)), [0 for _ in clients]
    for round in range(len(run.models)):
        rows = t.select(t.round == round)
        here = sorted(set(rows.sender.tolist()))
        taken = rows.select(rows.status == DELIVERED)
        got = {*zip(taken.sender.tolist(), taken.receiver.tolist(), strict=True)}
        starts = [type(task.initial).of(model.astype(np.float32)) for model in models]
        updates = {k: task.update(k, starts[k], round).value() for k in here}
        steps = {k: updates[k].astype(np.float64) for k in here}
        for k in here:
            owed[k] += updates[k]
            for other in clients:
                mine = parts.selector((turns[k] + other - k) % v)
                if (k, other) in got:
                    steps[other][mine] += owed[k, other, mine]
                    owed[k, other, mine] = 0
            turns[k] += 1
        for k in here:
            models[k] = models[k] - task.lr * steps[k] / task.clients
        yield list(models)


@pytest.mark.parametrize("v", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("settings", [{}, {"barrier": "none"}, {"failures": AWAY}])
def test_a_run_is_what_its_messages_make_of_it(play, toy, v, settings):
    """Nine rounds against sums kept for each pair; nodes that stay away fall behind."""
    task = toy(CLIENTS, SIZE)
    run = play({"kind": "ako", "partitions": v}, task, 9, wire="encode", **settings)
    for models, expected in zip(run.models, by_hand(task, v, run), strict=True):
        assert np.array(models) == pytest.approx(np.array(expected), abs=1e-4)


@pytest.mark.parametrize("v", [1, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_fails_goes_with_the_next_of_its_kind(play, toy, at_random, v, seed):
    """Messages are cut at random; nothing is lost, and nothing is taken twice."""
    task = toy(CLIENTS, SIZE)
    run = play({"kind": "ako", "partitions": v}, task, 9, trouble=at_random(seed, 0.1))
    assert (run.transfers.status != DELIVERED).sum() > 5
    for models, expected in zip(run.models, by_hand(task, v, run), strict=True):
        assert np.array(models) == pytest.approx(np.array(expected), abs=1e-4)


def test_one_partition_is_fedavg(play, toy):
    """With uniform weights: every node has FedAvg's model, to the bit."""
    fedavg = play({"kind": "fedavg", "weights": "uniform"}, toy(CLIENTS, SIZE), 4)
    ako = play({"kind": "ako", "partitions": 1}, toy(CLIENTS, SIZE), 4)
    for models, (model,) in zip(ako.models, fedavg.models, strict=True):
        assert all(np.array_equal(each, model) for each in models)


def test_a_client_without_samples_receives_and_sends_nothing(play, toy):
    """It follows the others: with one partition all have the same model."""
    run = play({"kind": "ako", "partitions": 1}, toy(4, SIZE, [4, 0, 4, 4]), 3)
    assert set(run.transfers.sender) == {0, 2, 3}
    assert all(np.array_equal(model, run.models[-1][0]) for model in run.models[-1])


def test_each_node_gets_all_partitions_in_turn(play):
    """43 parameters in 5 partitions of 9, 9, 9, 8, 8: others to each of the four, each round."""
    run = play({"kind": "ako"}, VolumeTask(SIZE, CLIENTS), 5)
    t = run.transfers
    sizes = t.payload_bits // 32
    for sender in range(CLIENTS):
        for other in set(range(CLIENTS)) - {sender}:
            pair = (t.sender == sender) & (t.receiver == other)
            assert sorted(sizes[pair]) == [8, 8, 9, 9, 9]
            assert np.array_equal(np.argsort(t.round[pair], kind="stable"), np.arange(5))


@pytest.mark.parametrize(("clients", "v"), [(10, 5), (7, 3), (6, 6), (4, 1)])
def test_volume_is_the_closed_form(play, clients, v):
    """(K − 1) · b/v each way in every round where v divides n; over v rounds whatever n is."""
    for n, rounds in ((210, 1), (211, v)):
        network = {"count": "payload"}
        run = play(
            {"kind": "ako", "partitions": v}, VolumeTask(n, clients), rounds, network=network
        )
        t, volume = run.transfers, ako_volume(clients, 32 * n, v)
        sent = np.bincount(t.sender, t.sent_bits, clients)
        assert sent.tolist() == np.bincount(t.receiver, t.sent_bits, clients).tolist()
        assert (sent * v).tolist() == (rounds * volume.sent_bits * v).round().tolist()
        assert len(t) == rounds * volume.total_messages


def test_time_of_the_tables_is_that_of_half_duplex_links(play):
    """v = 5, K = 10; on full duplex links half of it."""
    rates = np.full(10, 8e6)
    formula_s = ako_tables_s(32_000, 5, rates, rates)
    for half_duplex, expected in ((True, formula_s), (False, formula_s / 2)):
        network = {"count": "payload", "half_duplex": half_duplex}
        run = play({"kind": "ako"}, VolumeTask(1000, 10), 3, network=network)
        times = list(measure.distribution_times(run.transfers).values())
        assert times == pytest.approx([expected] * 3, rel=1e-9)
        assert run.player.protocol.formula() == ("Ako, up then down", formula_s)


def test_time_of_equation_54(play):
    """v = K: a node keeps one of K partitions, so (K − 1)/K of the closed form."""
    run = play(
        {"kind": "ako", "partitions": 10}, VolumeTask(1000, 10), 3, network={"count": "payload"}
    )
    rates = np.full(10, 8e6)
    assert run.player.protocol.formula() == ("eq54", eq54_ako_s(32_000, rates, rates))
    times = list(measure.distribution_times(run.transfers).values())
    assert times == pytest.approx([0.9 * 32_000 / 8e6] * 3, rel=1e-9)


def test_sums_of_many_failed_rounds_stay_shallow(play, toy):
    """More rounds fail than Python's stack is deep before one arrives."""
    task = toy(2, 3)
    ako = {"kind": "ako", "partitions": 1}
    run = play(ako, task, 1200, trouble=lambda table, moving: moving[table.round[moving] < 1199])
    steps = [task.initial.value() - models for models in (run.models[-2], run.models[-1])]
    assert np.abs(steps[0][0] - steps[0][1]).max() > 0.1
    assert np.array(steps[1][0]) == pytest.approx(steps[1][1], abs=1e-3)
