"""Distributed shifted compression: Algorithm 1 of ERIS, and what holds when messages fail."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.wire.shards import ContiguousShards
from netsim.wire.shared_seed import SharedSeedSparse
from netsim.wire.sparsify import RandK

CLIENTS, SIZE, KEEP = 5, 203, 0.3


def eris(**settings):
    """ERIS with rand-k; settings of both."""
    own = {name: settings.pop(name) for name in ("keep", "gamma") if name in settings}
    shared = {"masks": settings.pop("seeds")} if "seeds" in settings else {}
    compression = {"kind": "rand_k", "keep": KEEP} | own | shared
    return {"kind": "eris", "compression": compression} | settings


def drift(player):
    """Largest distance between s_(a) and Σ w_k s_k over all coordinates."""
    exchange = player.protocol._exchange
    mean = sum(
        weight * exchange.references[client].value() for client, weight in exchange.weights.items()
    )
    return np.abs(exchange.reference.value() - mean).max()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("seeds", ["independent", "shared"])
@pytest.mark.parametrize(
    "cut",
    [
        {"masks": "contiguous"},
        {"masks": "random", "aggregators": 3},
        {"masks": "random", "redraw": True},
    ],
    ids=str,
)
def test_the_references_agree_every_round_whatever_fails(play, toy, at_random, seed, seeds, cut):
    """Messages of every kind are cut at random; s_(a) = Σ w_k s_k within 1e-5."""
    drifts = []

    def every_round(player):
        drifts.append(drift(player))

    task = toy(CLIENTS, 1003, [4, 1, 0, 7, 2])
    trouble = at_random(seed, 0.06)
    run = play(eris(seeds=seeds, **cut), task, 8, every_round=every_round, trouble=trouble)
    transfers = run.transfers
    cut_kinds = {transfers.kinds[code].name for code in transfers.kind[transfers.status == 1]}
    assert cut_kinds == {"update", "model"} | ({"handover"} if cut.get("redraw") else set())
    assert len(drifts) == 8
    assert max(drifts) < 1e-5
    assert np.abs(run.player.protocol._exchange.reference.value()).max() > 0.1


def by_the_book(task, rounds, a_count, step):
    """Algorithm 1 in dense arithmetic on contiguous shards: the models after each round."""
    shards, codec = ContiguousShards(task.n, a_count), SharedSeedSparse(RandK(KEEP))
    weights = task.samples / task.samples.sum()
    model, mean_reference = task.initial.value().copy(), np.zeros(task.n)
    references, models = np.zeros((task.clients, task.n)), []
    for round in range(rounds):
        sent = np.zeros_like(references)
        for k in range(task.clients):
            start = model.astype(np.float32)
            update = task.update(k, type(task.initial).of(start), round).value()
            for a in range(a_count):
                seed = Streams(7).integer("mask", round, a, k)
                difference = (update - references[k]).astype(np.float32)
                sparse = codec.compress(shards.take(difference, a), seed)
                sent[k, shards.indices(a)[sparse.indices_k]] = sparse.values_k
        mean = weights @ sent
        model = model - task.lr * (mean_reference + mean)
        references += step * sent
        mean_reference += step * mean
        models.append(model)
    return models


def test_it_is_algorithm_1(play, toy):
    """Against plain double precision, with the γ of Theorem 3.6 for the compressor's ω."""
    task = toy(CLIENTS, SIZE)
    shards = ContiguousShards(SIZE, 4)
    omega = SIZE / sum(RandK(KEEP).kept(int(size)) for size in shards.sizes) - 1
    gamma = np.sqrt((1 + 2 * omega) / (2 * (1 + omega) ** 3))
    expected = by_the_book(task, 5, 4, gamma)
    run = play(eris(aggregators=4), toy(CLIENTS, SIZE), 5)
    for (model,), wanted in zip(run.models, expected, strict=True):
        assert model == pytest.approx(wanted, abs=2e-5)


def test_gamma_can_be_given(play, toy):
    """The same with γ = 0.5."""
    expected = by_the_book(toy(CLIENTS, SIZE), 3, 4, 0.5)
    run = play(eris(aggregators=4, gamma=0.5), toy(CLIENTS, SIZE), 3)
    assert run.models[-1][0] == pytest.approx(expected[-1], abs=2e-5)


def test_keeping_everything_is_plain_fsa_in_the_first_round(play, toy):
    """s is zero and C the identity: the same bits."""
    plain = play({"kind": "eris"}, toy(CLIENTS, SIZE), 1)
    kept = play(eris(keep=1), toy(CLIENTS, SIZE), 1)
    assert np.array_equal(kept.models, plain.models)


def test_keeping_everything_goes_where_plain_fsa_goes(play, toy):
    """Later rounds differ by rounding alone."""
    plain = play({"kind": "eris"}, toy(CLIENTS, SIZE), 10)
    kept = play(eris(keep=1), toy(CLIENTS, SIZE), 10)
    assert kept.models[-1][0] == pytest.approx(plain.models[-1][0], abs=1e-5)


def test_it_converges_to_the_weighted_mean_of_the_clients_optima(play, toy):
    """In spite of compression, because the references learn the updates."""
    task = toy(CLIENTS, SIZE)
    optimum = np.average(task.points, axis=0, weights=task.samples)
    run = play(eris(aggregators=3), task, 80)
    before = np.linalg.norm(task.initial.value() - optimum)
    assert np.linalg.norm(run.models[-1][0] - optimum) < 0.1 * before


def test_a_missing_contribution_counts_as_zero(play, toy, those):
    """Client 2's v for shard 1 never arrives; the others keep their weights."""
    task = toy(4, 40)
    trouble = those("update", sender=2, receiver=1)
    run = play(eris(keep=1, gamma=0.5), task, 1, trouble=trouble)
    weights = task.samples / task.samples.sum()
    updates = np.array([task.update(k, task.initial, 0).value() for k in range(4)])
    updates[2, 10:20] = 0
    expected = task.initial.value() - task.lr * (weights @ updates)
    assert run.models[0][0] == pytest.approx(expected, abs=1e-6)
    assert drift(run.player) < 1e-6


@pytest.mark.parametrize(
    ("kind", "ends"),
    [("update", {"sender": 2, "receiver": 1}), ("model", {"sender": 1, "receiver": 2})],
)
def test_a_reference_moves_only_where_it_was_acknowledged(play, toy, those, kind, ends):
    """Client 2's shard, or the broadcast that names it as used, is lost: s_2 stays there."""
    run = play(eris(keep=1, gamma=0.5), toy(4, 40), 1, trouble=those(kind, **ends))
    moved = run.player.protocol._exchange.references[2].value() != 0
    assert np.flatnonzero(~moved).tolist() == list(range(10, 20))
    others = run.player.protocol._exchange.references
    assert all((others[k].value() != 0).all() for k in (0, 1, 3))
    assert drift(run.player) < 1e-6


def test_only_kept_coordinates_move_a_reference(play, toy):
    """After one round s_k has ⌈keep · |shard|⌉ values in each shard."""
    run = play(eris(aggregators=4), toy(CLIENTS, SIZE), 1)
    kept = sum(RandK(KEEP).kept(int(size)) for size in ContiguousShards(SIZE, 4).sizes)
    references = run.player.protocol._exchange.references
    assert [np.count_nonzero(s.value()) for s in references.values()] == [kept] * CLIENTS


@pytest.mark.parametrize(("seeds", "same"), [("shared", True), ("independent", False)])
def test_masks_are_shared_or_each_clients_own(play, toy, seeds, same):
    """One mask keeps the same coordinates everywhere, so the mean stays sparse."""
    run = play(eris(seeds=seeds), toy(CLIENTS, SIZE), 1)
    supports = {
        tuple(np.flatnonzero(s.value())) for s in run.player.protocol._exchange.references.values()
    }
    assert (len(supports) == 1) == same


@pytest.mark.parametrize(
    "compression",
    [
        {"kind": "rand_k", "keep": 0.05},
        {"kind": "rand_k", "keep": 0.05, "masks": "shared", "downlink": "compressed"},
        {"kind": "bernoulli", "keep": 0.05},
    ],
    ids=str,
)
@pytest.mark.parametrize("masks", ["contiguous", "random"])
def test_running_statistics_are_averaged_whatever_is_left_out(play, toy, compression, masks):
    """They are FedAvg's up to rounding; the parameters are not."""
    task = toy(5, 331)
    task.statistics = 40
    eris = {"kind": "eris", "aggregators": 3, "masks": masks, "compression": compression}
    found = play(eris, task, rounds=4, wire="encode").models[-1][0]
    exact = play({"kind": "fedavg"}, task, rounds=4).models[-1][0]
    assert found[-40:] == pytest.approx(exact[-40:], rel=1e-5, abs=1e-5)
    assert np.abs(found - exact)[:-40].max() > 0.1
