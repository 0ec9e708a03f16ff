"""D-PSGD with some of the parameters: which are sent, and how the rest is completed."""

import numpy as np
import pytest

from netsim.learning.volume import VolumeTask
from netsim.protocols.sparse_dpsgd import SparseDpsgdConfig

CLIENTS, SIZE = 5, 40


def halves(task, models, round):
    """Each client's model after its local step."""
    starts = [type(task.initial).of(model) for model in models]
    return [
        starts[k].value() - np.float32(task.lr) * task.update(k, starts[k], round).value()
        for k in range(task.clients)
    ]


@pytest.mark.parametrize("coordinates", ["random", "top_k"])
@pytest.mark.parametrize("overlay", ["ring", "star", {"kind": "random_regular", "degree": 2}])
def test_keeping_all_is_dpsgd(play, toy, coordinates, overlay):
    """The same models to the bit."""
    dpsgd = play({"kind": "dpsgd", "overlay": overlay}, toy(CLIENTS, SIZE), 3)
    sparse = {"kind": "sparse_dpsgd", "keep": 1, "coordinates": coordinates, "overlay": overlay}
    assert np.array_equal(play(sparse, toy(CLIENTS, SIZE), 3).models, dpsgd.models)


@pytest.mark.parametrize("coordinates", ["random", "top_k"])
def test_a_receiver_completes_what_it_got_with_its_own(play, toy, coordinates):
    """On the complete graph of two, a kept coordinate is averaged and any other stays."""
    task = toy(2, SIZE)
    sparse = {"kind": "sparse_dpsgd", "keep": 0.3, "coordinates": coordinates}
    run = play(sparse, task, 2, wire="encode")
    models = [task.initial.value()] * 2
    for round in range(2):
        half, taken = halves(task, models, round), []
        for k in range(2):
            mean = (half[0] + half[1]) / 2
            kept = run.models[round][k] != half[k]
            assert kept.sum() == 12
            assert run.models[round][k][kept] == pytest.approx(mean[kept], abs=1e-6)
            taken.append(kept)
        assert not np.array_equal(*taken), "each node keeps coordinates of its own"
        models = run.models[round]


def test_top_k_are_those_the_update_moved_most(play, toy):
    """What node 0 takes from node 1 is what node 1's update is largest in."""
    task = toy(2, SIZE)
    run = play({"kind": "sparse_dpsgd", "keep": 0.1, "coordinates": "top_k"}, task, 1)
    half = halves(task, [task.initial.value()] * 2, 0)
    largest = np.argsort(-np.abs(task.update(1, task.initial, 0).value()))[:4]
    assert set(np.flatnonzero(run.models[0][0] != half[0])) == set(largest.tolist())


def test_random_coordinates_are_drawn_anew(play, toy):
    """By each node and each round; all as likely: over 60 rounds none is left out.

    A coordinate is left out of all with probability 0.75^60, so the test fails by chance with
    probability below 40 · 4e-8.
    """
    task = toy(2, SIZE, lr=0.0)
    task.initial = type(task.initial).of(np.zeros(SIZE, np.float32))
    seen = np.zeros(SIZE, int)
    ones = [np.full(SIZE, k, np.float32) for k in range(2)]
    task.lr = 1.0
    task.update = lambda k, model, round: type(model).of(model.value() - ones[k])
    run = play({"kind": "sparse_dpsgd", "keep": 0.25}, task, 60)
    for models in run.models:
        seen += models[0] > 0
    assert seen.sum() == 60 * 10
    assert seen.min() > 0


def test_a_message_that_fails_leaves_the_own_parameters(play, toy, those):
    """On a ring of three node 2 misses node 1: only node 0 is mixed in, by a third."""
    task = toy(3, SIZE)
    lost = those("model", sender=1, receiver=2)
    run = play({"kind": "sparse_dpsgd", "keep": 0.5}, task, 1, trouble=lost)
    half = halves(task, [task.initial.value()] * 3, 0)
    mixed = half[2] * (2 / 3) + half[0] / 3
    kept = np.abs(run.models[0][2] - half[2]) > 1e-6
    assert kept.sum() == 20
    assert run.models[0][2][kept] == pytest.approx(mixed[kept], abs=1e-6)


def test_random_sizes_need_no_values(play):
    """2 · ⌈40/8⌉ floats a node on a ring; with a seed and a header each on the wire.  Those of
    top-k do, so they are refused where there are none."""
    assert SparseDpsgdConfig(coordinates="top_k").needs_values()
    assert not SparseDpsgdConfig().needs_values()
    run = play({"kind": "sparse_dpsgd"}, VolumeTask(SIZE, CLIENTS), 1)
    assert set(run.transfers.payload_bits) == {5 * 32}
    assert len(set(run.transfers.wire_bits)) == 1
    assert run.player.protocol.formula() == ("r·b / min rate", 2 * 160 / 8e6)
