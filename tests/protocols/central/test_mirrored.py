"""The compressed downlink: clients mirror references, and come back into step."""

import numpy as np
import pytest

from netsim.protocols import by_kind

SHARED = {"kind": "rand_k", "keep": 0.3, "masks": "shared"}


def eris(downlink="compressed", aggregators=3):
    compression = SHARED | {"downlink": downlink}
    return {"kind": "eris", "aggregators": aggregators, "compression": compression}


@pytest.mark.parametrize("aggregators", [1, 3, 5])
def test_the_models_are_those_of_the_dense_downlink(play, toy, aggregators):
    """Bit for bit, through the real encoding and without barriers; only sizes differ."""
    task = toy(5, 331)
    dense = play(eris("dense", aggregators), task, rounds=4)
    short = play(eris("compressed", aggregators), task, rounds=4, wire="encode", barrier="none")
    assert np.array_equal(dense.models, short.models)


def test_down_comes_what_went_up(play, toy):
    """⌈0.3 · 100⌉ values each way."""
    run = play(eris("compressed", 1), toy(5, 100), rounds=2, network={"count": "payload"})
    assert set(run.transfers.payload_bits) == {30 * 32}


def in_step(player):
    """Checks references and models at the end of a round."""
    exchange, rounds = player.protocol._exchange, player.protocol._rounds
    shards = player.protocol._cuts.fixed
    step = exchange._step(shards)
    total = np.zeros(shards.n)
    for k, weight in exchange.weights.items():
        total += weight * exchange.references[k].value().astype(np.float64)
    for a, owed in exchange._owed.items():
        own = rounds._own[a].value()
        for client, (missed, used) in owed.items():
            if (
                client in exchange.weights
                and used
                and missed > exchange._heard.get((client, a), -1)
            ):
                part = shards.take(total, a).copy()
                sent = exchange._sent[client][missed][a].value()
                part[sent.indices_k] += exchange.weights[client] * step * sent.values_k
                shards.put(total, a, part)
        for client in set(range(5)) - owed.keys():
            held = shards.take(rounds._held[client].value(), a)
            assert np.array_equal(held, own), (a, client)
    assert np.allclose(exchange.reference.value(), total, atol=1e-5)
    return sum(map(len, exchange._owed.values()))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_clients_out_of_step_come_back(play, toy, at_random, seed):
    """Under aborted messages s_(a) = Σ w_k s_k + owed moves, and all others hold the model."""
    owed = []
    run = play(
        eris(),
        toy(5, 331),
        rounds=10,
        wire="encode",
        trouble=at_random(seed),
        every_round=lambda player: owed.append(in_step(player)),
    )
    assert max(owed) > 0
    assert min(owed[owed.index(max(owed)) :]) < max(owed)
    assert all(np.isfinite(model).all() for models in run.models for model in models)


@pytest.mark.parametrize(
    "settings",
    [
        {"compression": SHARED | {"masks": "independent", "downlink": "compressed"}},
        {"compression": SHARED | {"downlink": "compressed"}, "masks": "random", "redraw": True},
    ],
)
def test_it_needs_shared_masks_and_a_fixed_cut(settings):
    """Refused at the field."""
    config = by_kind("eris").Config.model_validate({"kind": "eris"} | settings)
    assert [loc for loc, _ in config.problems(5)] == [("compression", "downlink")]
