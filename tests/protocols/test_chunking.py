"""Shatter's strategies of chunking and its two rules of averaging."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import neighbours, random_regular
from netsim.protocols.chunking import Chunking
from netsim.wire.chunk import Chunk

CLIENTS, SIZE, VIRTUAL, DEGREE = 5, 103, 4, 3
STRATEGIES = ["static", "linear", "with_replacement", "dynamic"]
PARTITIONS = ["static", "linear", "dynamic"]


def marks(strategy, round, seed=7):
    """Bool[chunk, coordinate]."""
    chunking = Chunking(strategy, SIZE, VIRTUAL, Streams(seed))
    held = np.zeros((VIRTUAL, SIZE), bool)
    for s in range(VIRTUAL):
        held[s, chunking.of(round).selector(s)] = True
    assert held.sum(1).tolist() == chunking.sizes.tolist() == [26, 26, 26, 25]
    return held


@pytest.mark.parametrize("strategy", PARTITIONS)
def test_partitions_hold_every_coordinate_once(strategy):
    """Static, linear and dynamic chunks do not overlap."""
    assert (marks(strategy, 3).sum(0) == 1).all()


def test_with_replacement_some_are_in_several_and_some_in_none():
    """Within a chunk none is twice; chunks are drawn on their own."""
    copies = marks("with_replacement", 0).sum(0)
    assert copies.max() > 1
    assert copies.min() == 0


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_redrawn_each_round(strategy):
    """Dynamic chunks and samples; another seed changes all but linear ones."""
    redrawn = strategy in ("dynamic", "with_replacement")
    assert np.array_equal(marks(strategy, 0), marks(strategy, 1)) != redrawn
    assert np.array_equal(marks(strategy, 5), marks(strategy, 5))
    assert np.array_equal(marks(strategy, 0), marks(strategy, 0, seed=8)) == (strategy == "linear")


def test_linear_chunks_are_consecutive():
    """The first quarter goes to the first virtual node."""
    assert np.flatnonzero(marks("linear", 0)[0]).tolist() == list(range(26))


def by_hand(task, strategy, averaging, rounds):
    """The models after each round, from graphs and chunks."""
    models = np.tile(task.initial.value(), (CLIENTS, 1)).astype(np.float64)
    for round in range(rounds):
        starts = [type(task.initial).of(model.astype(np.float32)) for model in models]
        half = np.array(
            [models[k] - task.lr * task.update(k, starts[k], round).value() for k in range(CLIENTS)]
        )
        total, copies = np.zeros_like(half), np.zeros_like(half)
        graph = neighbours(random_regular(DEGREE, CLIENTS * VIRTUAL, Streams(7), round))
        held = marks(strategy, round)
        for v, others in enumerate(graph):
            for other in others:
                sender, chunk = divmod(int(other), VIRTUAL)
                total[v // VIRTUAL, held[chunk]] += half[sender, held[chunk]]
                copies[v // VIRTUAL, held[chunk]] += 1
        models = total / DEGREE if averaging == "1/r" else (total + half) / (copies + 1)
        yield models


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("averaging", ["copies", "1/r"])
def test_a_run_follows_graphs_and_chunks(play, toy, strategy, averaging):
    """Three rounds against a direct computation; really encoded messages give the same."""
    task = toy(CLIENTS, SIZE)
    shatter = {
        "kind": "shatter",
        "virtual_nodes": VIRTUAL,
        "degree": DEGREE,
        "chunking": strategy,
        "averaging": averaging,
    }
    run = play(shatter, task, 3, wire="encode")
    for models, expected in zip(run.models, by_hand(task, strategy, averaging, 3), strict=True):
        assert np.array(models) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_virtual_node_is_epidemic_learning_however_it_chunks(play, toy, strategy):
    """The only chunk is the whole model."""
    epidemic = play({"kind": "epidemic", "degree": 4}, toy(CLIENTS, SIZE), 3)
    shatter = {"kind": "shatter", "virtual_nodes": 1, "degree": 4, "chunking": strategy}
    assert np.array_equal(play(shatter, toy(CLIENTS, SIZE), 3).models, epidemic.models)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_sends_the_same(play, toy, strategy):
    """Sizes and partners are those of static chunking."""
    shatter = {"kind": "shatter", "virtual_nodes": VIRTUAL, "degree": DEGREE}
    static, other = (
        play(shatter | {"chunking": each}, toy(CLIENTS, SIZE)).transfers
        for each in ("static", strategy)
    )
    for name in ("sender", "receiver", "kind", "payload_bits", "wire_bits", "end_s"):
        assert np.array_equal(getattr(static, name), getattr(other, name))


@pytest.mark.parametrize("strategy", PARTITIONS)
def test_the_rule_of_one_rth_keeps_the_mean(play, toy, strategy):
    """Lemma 5, Eq. 1: averaged over all nodes, no coordinate changes."""
    task = toy(CLIENTS, SIZE)
    half = np.array(
        [task.initial.value() - task.lr * task.update(k, task.initial, 0).value() for k in range(5)]
    )
    shatter = {"kind": "shatter", "degree": 3, "chunking": strategy, "averaging": "1/r"}
    run = play(shatter, task, 1)
    assert np.mean(run.models[0], 0) == pytest.approx(half.mean(0), abs=1e-5)


def test_under_the_rule_of_one_rth_a_chunk_that_fails_counts_as_zero(play, toy, those):
    """Two nodes with one virtual node each: node 0 gets nothing and is left with zeros."""
    shatter = {"kind": "shatter", "virtual_nodes": 1, "degree": 1, "averaging": "1/r"}
    run = play(shatter, toy(2, 20), 1, trouble=those("exchange", receiver=2))
    assert not run.models[0][0].any()
    assert run.models[0][1].any()


def test_an_empty_chunk_has_no_coordinates():
    """More virtual nodes than parameters."""
    chunking = Chunking("with_replacement", 3, 5, Streams(0))
    assert [len(Chunk(s, np.zeros(3)[chunking.of(0).selector(s)]).values_n) for s in range(5)] == [
        1,
        1,
        1,
        0,
        0,
    ]
