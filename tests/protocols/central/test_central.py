"""Centralised protocols: equalities between them, their sharded versions, what they send."""

import math

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.errors import NoValues
from netsim.learning.volume import VolumeTask
from netsim.privacy.accounting import needed_multiplier, spent_epsilon
from netsim.protocols import by_kind

SHARDED = [
    {"kind": "fedavg"},
    {"kind": "fedadam"},
    {"kind": "fedyogi"},
    {"kind": "fednova"},
    {"kind": "fedavg_ldp"},
    {"kind": "priprune"},
    {"kind": "cepam_gaussian", "lattice_dim": 1},
    {"kind": "cepam_gaussian", "lattice_dim": 2},
    {"kind": "cepam_gaussian", "lattice_dim": 3},
    {"kind": "cepam_laplace"},
    {"kind": "fl_sdq"},
    {"kind": "fl_gaussian_sdq"},
    {"kind": "fl_laplace"},
    {"kind": "min_leakage"},
]
CUTS = [
    {"aggregators": 3},
    {"aggregators": 5, "masks": "interleaved"},
    {"aggregators": 4, "masks": "random", "redraw": True},
    {"aggregators": 4, "shards": "optimal"},
]
LINKS = {"uplink": [f"{1 + k} MB/s" for k in range(5)]}


def same_models(one, other):
    return np.array_equal(one.models, other.models)


@pytest.mark.parametrize("protocol", SHARDED, ids=str)
def test_sharded_is_unsharded_bit_for_bit(play, toy, protocol):
    """FSA under each protocol, for masks of every kind, through the real encoding."""
    task = toy(5, 331)
    central = play(protocol, task, rounds=3, network=LINKS)
    for cut in CUTS:
        layer = {"aggregation": {"kind": "fsa"} | cut}
        sharded = play(protocol | layer, task, rounds=3, network=LINKS, wire="encode")
        assert same_models(central, sharded), cut


COMPRESSIONS = [
    {"kind": "rand_k", "keep": 0.3},
    {"kind": "bernoulli", "keep": 0.3},
    {"kind": "qsgd", "levels": 4},
    {"kind": "uniform", "levels": 16},
    {"kind": "rsuq", "radius": 0.3, "lattice_dim": 3},
    {"kind": "lrsuq", "size": 0.1, "lattice_dim": 2},
    {"kind": "lrsuq_laplace", "size": 0.1},
]


@pytest.mark.parametrize("compression", COMPRESSIONS, ids=str)
@pytest.mark.parametrize("masks", ["independent", "shared"])
def test_soteriafl_without_noise_is_eris_with_one_aggregator(play, toy, compression, masks):
    """Bit for bit under the same masks, around any unbiased compressor."""
    task, config = toy(5, 331), compression | {"masks": masks}
    soteria = play({"kind": "soteriafl", "ldp": None, "compression": config}, task, rounds=4)
    eris = play({"kind": "eris", "aggregators": 1, "compression": config}, task, rounds=4)
    assert same_models(soteria, eris)


@pytest.mark.parametrize("kind", [{"kind": "identity"}, {"kind": "rand_k", "keep": 1.0}], ids=str)
def test_dsc_without_compression_or_shift_is_fsa(play, toy, kind):
    """ω = 0 and references kept at zero."""
    task = toy(5, 331)
    shifted = play({"kind": "eris", "compression": kind | {"gamma": 0.0}}, task, rounds=3)
    assert same_models(shifted, play({"kind": "eris"}, task, rounds=3))


@pytest.mark.parametrize("compression", COMPRESSIONS, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_references_agree_whatever_fails(play, toy, at_random, compression, seed):
    """s_(a) = Σ w_k s_k on every coordinate after each round of aborted messages."""

    def agree(player):
        exchange = player.protocol._exchange
        mean = sum(
            weight * exchange.references[k].value().astype(np.float64)
            for k, weight in exchange.weights.items()
        )
        assert np.allclose(exchange.reference.value(), mean, atol=2e-5)

    protocol = {"kind": "eris", "aggregators": 3, "compression": compression}
    play(protocol, toy(5, 331), rounds=5, trouble=at_random(seed), every_round=agree)


@pytest.mark.parametrize("dim", [1, 2, 3, "laplace"])
def test_cepam_approaches_fedavg_as_the_noise_goes(play, toy, dim):
    """The distance falls with σ or b, to rounding at 1e-7."""
    task = toy(5, 331)
    fedavg = play({"kind": "fedavg"}, task, rounds=3).models[-1][0]
    far = [
        np.abs(play(cepam(size, dim), task, rounds=3).models[-1][0] - fedavg).max()
        for size in (1e-1, 1e-3, 1e-7)
    ]
    assert far[0] > 10 * far[1] > 100 * far[2]
    assert far[2] < 1e-5


def cepam(size, dim):
    if dim == "laplace":
        return {"kind": "cepam_laplace", "b": size}
    return {"kind": "cepam_gaussian", "sigma": size, "lattice_dim": dim}


def test_min_leakage_has_fedavgs_models_and_sends_no_update(play, toy):
    """Up goes nothing but headers."""
    task = toy(5, 331)
    silent = play({"kind": "min_leakage"}, task, network={"count": "payload"})
    assert same_models(silent, play({"kind": "fedavg"}, task))
    up = silent.transfers.sender < 5
    assert silent.transfers.payload_bits[up].tolist() == [0] * 10
    assert set(silent.transfers.payload_bits[~up]) == {331 * 32}


def test_fednova_undoes_unequal_local_steps(play, toy):
    """By hand: direction τ_eff Σ p_k u_k/τ_k, τ_eff = Σ p_k τ_k with p = 3/12, 4/12, 5/12."""
    task = toy(3, 50)
    steps = {0: 1.0, 1: 2.0, 2: 6.0}
    task.step_weight = steps.__getitem__
    nova = play({"kind": "fednova"}, task, rounds=1).models[0][0]
    start = task.initial.value().astype(np.float64)
    updates = [task.update(k, task.initial, 0).value().astype(np.float64) for k in range(3)]
    shares = [3 / 12, 4 / 12, 5 / 12]
    mean = sum(p * u / steps[k] for k, (p, u) in enumerate(zip(shares, updates, strict=True)))
    effective = sum(p * steps[k] for k, p in enumerate(shares))
    assert np.allclose(nova, start - task.lr * effective * mean, atol=1e-6)


def test_soteriafl_is_its_algorithm(play, toy):
    """Clip, noise, v = C(g − s), x ← x − η(s + mean v), s_k and s move by γ v: by hand, 1/K each.

    C keeps everything, so that v is known; two rounds, with a clip that binds and a given γ.
    """
    task, clip, sigma, gamma = toy(3, 200), 5.0, 0.3, 0.4
    ldp = {"clip": clip, "noise_multiplier": sigma}
    settings = {"ldp": ldp, "weights": "uniform"}
    settings["compression"] = {"kind": "identity", "gamma": gamma}
    run = play({"kind": "soteriafl"} | settings, task, rounds=2)
    x, shifts = task.initial.value().astype(np.float64), np.zeros((3, 200))
    for round in range(2):
        start, sent = type(task.initial).of(x.astype(np.float32)), np.zeros((3, 200))
        for k in range(3):
            update = task.update(k, start, round).value().astype(np.float64)
            assert np.linalg.norm(update) > clip
            noise = Streams(7).rng("privacy noise", round, k).standard_normal(200, np.float32)
            noisy = update * clip / np.linalg.norm(update) + sigma * clip * noise
            sent[k] = noisy - shifts[k]
        x = x - task.lr * (shifts.mean(0) + sent.mean(0))
        shifts += gamma * sent
        assert np.allclose(run.models[round][0], x, atol=1e-5)


@pytest.mark.parametrize("kind", ["fedadam", "fedyogi"])
def test_the_first_adaptive_step_by_hand(play, toy, kind):
    """m = 0.1 Δ, v from τ² as the paper has it, x + η m/(√v + τ)."""
    task, tau, eta = toy(3, 50), 1e-3, 0.01
    stepped = play({"kind": kind}, task, rounds=1).models[0][0]
    fedavg = play({"kind": "fedavg"}, task, rounds=1).models[0][0]
    start = task.initial.value().astype(np.float64)
    delta = fedavg - start
    if kind == "fedadam":
        v = 0.99 * tau**2 + 0.01 * delta**2
    else:
        v = tau**2 - 0.01 * delta**2 * np.sign(tau**2 - delta**2)
    assert np.allclose(stepped, start + eta * 0.1 * delta / (np.sqrt(v) + tau), atol=1e-6)


def test_ldp_clips_and_noises_by_its_multiplier(play, toy):
    """One client, clip 2, multiplier 0.5: the update's norm is 2 and its noise N(0, 1)."""
    task = toy(1, 20_000)
    ldp = {"clip": 2.0, "noise_multiplier": 0.5}
    noisy = play({"kind": "fedavg_ldp", "ldp": ldp}, task, rounds=1).models[0][0]
    clipped = play(
        {"kind": "fedavg_ldp", "ldp": ldp | {"noise_multiplier": 0.0}}, task, rounds=1
    ).models[0][0]
    start = task.initial.value()
    assert np.linalg.norm((start - clipped) / task.lr) == pytest.approx(2, rel=1e-3)
    noise = (clipped - noisy) / task.lr
    assert noise.std() == pytest.approx(1, rel=6 / math.sqrt(2 * 20_000))
    assert abs(noise.mean()) < 6 / math.sqrt(20_000)


def test_privacy_spent_is_that_of_the_library(play, toy):
    """Closed form against the PLD accountant, and a budget spent exactly when it is due.

    That is after the scenario's rounds, or those it is given for.
    """
    from dp_accounting import GaussianDpEvent
    from dp_accounting.pld import PLDAccountant

    accountant = PLDAccountant()
    accountant.compose(GaussianDpEvent(5.0), 20)
    assert spent_epsilon(5.0, 20, 1e-5) == pytest.approx(accountant.get_epsilon(1e-5), rel=1e-3)
    multiplier = needed_multiplier(2.0, 1e-5, 20)
    assert spent_epsilon(multiplier, 20, 1e-5) == pytest.approx(2.0, rel=1e-5)
    assert spent_epsilon(1e-300, 20, 1e-5) == math.inf
    assert spent_epsilon(1e300, 20, 1e-5) == 0
    for kind in ("fedavg_ldp", "soteriafl", "eris"):
        run = play({"kind": kind, "ldp": {"epsilon": 2.0}}, toy(2, 10), rounds=3)
        assert run.player.protocol.notes()["epsilon"] == pytest.approx(2.0, rel=1e-5)
    longer = {"kind": "fedavg_ldp", "ldp": {"epsilon": 2.0, "rounds": 12}}
    run = play(longer, toy(2, 10), rounds=3)
    assert run.player.protocol.notes()["epsilon"] < 1.2


@pytest.mark.parametrize(
    ("settings", "loc"),
    [
        ({"kind": "fedadam", "aggregation": {"kind": "fsa", "aggregators": 8}}, "aggregators"),
        ({"kind": "fedavg", "aggregation": {"kind": "fsa", "redraw": True}}, "redraw"),
        (
            {
                "kind": "fedavg",
                "aggregation": {"kind": "fsa", "masks": "interleaved", "shards": "optimal"},
            },
            "shards",
        ),
        ({"kind": "fedavg_ldp", "ldp": {"noise_multiplier": 1.0, "rounds": 3}}, "rounds"),
        ({"kind": "soteriafl", "ldp": {"clip": 1.0}}, "ldp"),
    ],
)
def test_what_cannot_be_is_refused_at_its_place(settings, loc):
    """Each problem names its field."""
    config = by_kind(settings["kind"]).Config.model_validate(settings)
    assert [where[-1] for where, _ in config.problems(7)] == [loc]


VOLUMES = [
    *SHARDED,
    *({"kind": "eris", "compression": each} for each in COMPRESSIONS),
    {"kind": "soteriafl"},
    {"kind": "fl_gaussian"},
    {"kind": "priprune", "aggregation": "fsa"},
    {"kind": "eris", "compression": {"kind": "qsgd", "levels": 4, "code": "fixed"}},
]


@pytest.mark.parametrize("protocol", VOLUMES, ids=str)
def test_what_needs_values_says_so(play, protocol):
    """All others run on a model that is only a size."""
    config = by_kind(protocol["kind"]).Config.model_validate(protocol)
    if config.needs_values():
        with pytest.raises(ExceptionGroup) as error:
            play(protocol, VolumeTask(331, 5))
        assert error.group_contains(NoValues)
    else:
        assert len(play(protocol, VolumeTask(331, 5)).transfers)


def test_priprune_sends_all_but_the_largest_and_trains_on_from_its_own(play, toy):
    """⌈0.1 · 50⌉ = 5 coordinates of each update stay; the next start has the local values."""
    task, starts = toy(2, 50), {}
    original = task.update

    def watched(client, model, round):
        starts[client, round] = model
        return original(client, model, round)

    task.update = watched
    run = play({"kind": "priprune"}, task, rounds=2)
    assert set(run.transfers.payload_bits[run.transfers.sender < 2]) == {45 * 32}
    for client in range(2):
        update = original(client, starts[client, 0], 0).value()
        largest = np.argsort(-np.abs(update))[:5]
        own = starts[client, 0].value() - np.float32(task.lr) * update
        start, shared = starts[client, 1].value(), run.models[0][0]
        assert np.array_equal(start[largest], own[largest])
        assert np.array_equal(np.delete(start, largest), np.delete(shared, largest))


def test_priprune_may_lose_what_it_does_not_send(play, toy):
    """As ERIS compares it: everybody starts from the shared model; the first round is the same."""
    task, starts = toy(2, 50), {}
    original = task.update

    def watched(client, model, round):
        starts[client, round] = model
        return original(client, model, round)

    task.update = watched
    dropped = play({"kind": "priprune", "withheld": "dropped"}, task, rounds=2)
    kept = play({"kind": "priprune"}, toy(2, 50), rounds=2)
    assert np.array_equal(starts[0, 1].value(), dropped.models[0][0])
    assert np.array_equal(dropped.models[0], kept.models[0])
    assert not np.array_equal(dropped.models[1], kept.models[1])
