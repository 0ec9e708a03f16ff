"""What a run of CEPAM says of its privacy."""

import math

import pytest

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask
from netsim.privacy.cepam import gaussian_guarantee, laplace_guarantee

QUIET = {"rounds": 3, "evaluate": {"every": 3}}


def task(**settings):
    """Four clients with 20 samples each."""
    base = {"dataset": "digits", "model": "mlp", "lr": 0.1, "samples_per_client": 20}
    return TrainingTask.build(TaskConfig.model_validate(base | settings), 4, Streams(7))


def notes(play, protocol, **settings):
    """The guarantees among the notes of a run."""
    found = play(protocol, task(**settings), **QUIET).player.protocol.notes()
    return {name: each for name, each in found.items() if "epsilon" in name or "delta" in name}


def expected(guarantee):
    return {
        "epsilon_per_round": guarantee.epsilon,
        "delta_per_round": guarantee.delta,
        "epsilon": 3 * guarantee.epsilon,
        "delta": min(1.0, 3 * guarantee.delta),
    }


@pytest.mark.parametrize(
    ("settings", "steps", "share"),
    [
        ({"batch": 5, "local_steps": 2}, 2, 0.25),
        ({"batch": 5, "local_epochs": 2}, 2, 1.0),
        ({"batch": "full", "local_steps": 3}, 3, 1.0),
        ({"batch": 5, "local_steps": 2, "estimator": "svrg"}, 2, 1.0),
    ],
)
def test_gaussian(play, settings, steps, share):
    """Theorem 12 for τ and q of the task and four clients; three rounds add up."""
    protocol = {"kind": "cepam_gaussian", "gamma": 0.05, "sigma": 0.8, "base_epsilon": 0.5}
    ratio = 2 * steps * 0.05 / (math.sqrt(4) * 0.8)
    found = notes(play, protocol, **settings)
    wanted = expected(gaussian_guarantee(ratio, 0.5, steps, share))
    assert found == pytest.approx(wanted)
    assert 0 < found["delta_per_round"] < 0.1


def test_gaussian_by_default_is_saturated(play):
    """The default γ is √n: the δ is that of a ratio without end."""
    found = notes(play, {"kind": "cepam_gaussian"}, batch=5)
    assert found == pytest.approx(expected(gaussian_guarantee(1e9, 5.9, 1, 0.25)))


@pytest.mark.parametrize("base", [None, 0.1])
def test_laplace(play, base):
    """Theorem 13 at 2τγ/b, without δ; at a smaller ε̃ with one."""
    protocol = {"kind": "cepam_laplace", "gamma": 0.05, "b": 0.5, "base_epsilon": base}
    ratio = 2 * 2 * 0.05 / 0.5
    found = notes(play, protocol, batch=5, local_steps=2)
    wanted = expected(laplace_guarantee(ratio, base or ratio, 2, 0.25))
    assert found == pytest.approx(wanted)
    assert (found["delta"] == 0) == (base is None)


@pytest.mark.parametrize(("dim", "volume"), [(1, 1.0), (2, math.pi / 4), (3, math.pi / 6)])
def test_counts_cost_more_than_their_entropy(play, dim, volume):
    """1/p bits in the mean where a ball is p of its cell, and h(p)/p as the paper counts."""
    run = play({"kind": "cepam_gaussian", "lattice_dim": dim}, task(), **QUIET)
    found = run.player.protocol.notes()
    entropy = -volume * math.log2(volume) - (1 - volume) * math.log2(1 - volume) if dim > 1 else 0
    assert found["count_bits_per_block"] == pytest.approx(0 if dim == 1 else 1 / volume)
    assert found["count_entropy_per_block"] == pytest.approx(entropy / volume)


def test_the_client_with_least_counts(play):
    """By samples, the heaviest weight; by share of samples a step, the smallest part."""
    uneven = {"partition": {"kind": "dirichlet", "alpha": 0.3}, "samples_per_client": None}
    held = task(**uneven).samples
    assert held.max() > 1.2 * held.min()
    protocol = {"kind": "cepam_gaussian", "gamma": 0.05, "sigma": 0.8, "base_epsilon": 0.5}
    found = notes(play, protocol, batch=10, **uneven)
    weights = held / held.sum()
    each = [
        gaussian_guarantee(
            2 * 0.05 * w / (0.8 * math.sqrt((weights**2).sum())), 0.5, 1, min(10, n) / n
        )
        for w, n in zip(weights, held, strict=True)
    ]
    assert found["epsilon_per_round"] == pytest.approx(max(g.epsilon for g in each))
    assert found["delta_per_round"] == pytest.approx(max(g.delta for g in each))
