"""Federated shard aggregation gives FedAvg's model, bit for bit, after every round."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask
from netsim.results.digest import model_digest

CUTS = [
    {"masks": "contiguous"},
    {"masks": "interleaved"},
    {"masks": "random"},
    {"masks": "random", "redraw": True},
]


def digests(run):
    """The digest of the model after each round."""
    return [model_digest(models) for models in run.models]


@pytest.fixture(scope="module")
def learn():
    """A real task: an MLP on digits, mini-batches, momentum, uneven parts."""

    def make():
        settings = {"dataset": "digits", "model": "mlp", "batch": 16, "local_steps": 2, "lr": 0.1}
        partition = {"kind": "dirichlet", "alpha": 0.5}
        config = TaskConfig.model_validate(settings | {"momentum": 0.9, "partition": partition})
        return TrainingTask.build(config, 9, Streams(7))

    return make


@pytest.mark.parametrize("cut", CUTS, ids=str)
@pytest.mark.parametrize("aggregators", [1, 2, 7, None])
def test_with_real_gradients(play, learn, cut, aggregators):
    """Nine clients of different size, three rounds of an MLP with momentum."""
    silent = {"every": 3}
    fedavg = play({"kind": "fedavg"}, learn(), rounds=3, evaluate=silent)
    eris = {"kind": "eris", "aggregators": aggregators} | cut
    assert digests(play(eris, learn(), rounds=3, evaluate=silent)) == digests(fedavg)


@pytest.mark.parametrize("cut", CUTS, ids=str)
@pytest.mark.parametrize("aggregators", [1, 2, 7, 11])
@pytest.mark.parametrize("weights", ["samples", "uniform"])
def test_for_every_number_of_aggregators_mask_and_weight(play, toy, cut, aggregators, weights):
    """Eleven clients, one without samples; 101 coordinates, which no number here divides."""
    samples = [5, 1, 0, 3, 9, 2, 2, 7, 4, 1, 6]
    fedavg = play({"kind": "fedavg", "weights": weights}, toy(11, 101, samples), rounds=4)
    eris = {"kind": "eris", "aggregators": aggregators, "weights": weights} | cut
    run = play(eris, toy(11, 101, samples), rounds=4)
    assert len(run.models) == 4
    assert digests(run) == digests(fedavg)


@pytest.mark.parametrize("settings", [{"barrier": "phase"}, {"barrier": "none"}], ids=str)
def test_whatever_the_barriers_and_rates(play, toy, settings):
    """Clients of very different speed."""
    network = {"uplink": [f"{1 + 3 * k} MB/s" for k in range(7)], "latency": "2 ms"}
    fedavg = play({"kind": "fedavg"}, toy(7, 101), rounds=5)
    for cut in ({"masks": "interleaved"}, {"masks": "random", "aggregators": 3}):
        run = play({"kind": "eris"} | cut, toy(7, 101), rounds=5, network=network, **settings)
        assert digests(run) == digests(fedavg)


def test_more_aggregators_than_coordinates(play, toy):
    """Some shards are empty."""
    fedavg, eris = (play({"kind": kind}, toy(5, 3), rounds=2) for kind in ("fedavg", "eris"))
    assert digests(eris) == digests(fedavg)


def test_the_shards_are_dealt_anew_each_round_only_if_asked(play, toy):
    """Sizes of messages to aggregator 0 are the same, the coordinates are not."""
    fixed, redrawn = (
        play({"kind": "eris", "masks": "random", "redraw": redraw}, toy(4, 40), rounds=2)
        for redraw in (False, True)
    )
    assert np.array_equal(fixed.transfers.carried_bits, redrawn.transfers.carried_bits)
    assert np.array_equal(fixed.models, redrawn.models)


def test_a_missing_shard_counts_as_zero_and_the_divisor_stays(play, toy, those):
    """Client 2's shard to aggregator 1 never arrives: there its weighted update is missing."""
    task = toy(4, 40)
    run = play({"kind": "eris"}, task, rounds=1, trouble=those("update", sender=2, receiver=1))
    weights = task.samples / task.samples.sum()
    updates = [task.update(k, task.initial, 0).value() for k in range(4)]
    direction = sum(weights[k] * updates[k] for k in range(4))
    direction[10:20] -= weights[2] * updates[2][10:20]
    expected = task.initial.value() - task.lr * direction
    assert run.models[0][0] == pytest.approx(expected, abs=1e-6)


def test_a_client_that_misses_a_broadcast_keeps_its_old_part(play, toy, those):
    """Client 2 never hears of part 1: its next update starts from the old one there."""
    task, seen = toy(4, 40), {}
    updates = task.update

    def watched(client, model, round):
        if client == 2:
            seen[round] = model.value().copy()
        return updates(client, model, round)

    task.update = watched
    trouble = those("model", sender=1, receiver=2, round=0)
    run = play({"kind": "eris"}, task, rounds=3, trouble=trouble)
    after_0, after_1 = run.models[0][0], run.models[1][0]
    assert np.array_equal(seen[1][10:20], task.initial.value()[10:20])
    assert np.array_equal(np.delete(seen[1], np.s_[10:20]), np.delete(after_0, np.s_[10:20]))
    assert np.array_equal(seen[2], after_1)
