"""DP-SGD between neighbours: clipping, noise and accounting, on top of D-PSGD."""

import numpy as np
import pytest

from netsim.privacy.accounting import spent_epsilon
from netsim.protocols.dp_sgd import DpSgdConfig

SIZE = 4000


def without_noise(clip):
    """``ldp`` that only clips."""
    return {"kind": "dp_sgd", "ldp": {"clip": clip, "noise_multiplier": 0}}


def test_without_noise_or_clipping_it_is_dpsgd(play, toy):
    """Updates shorter than C: the same models to the bit."""
    dpsgd = play({"kind": "dpsgd"}, toy(5, 30), 3)
    assert np.array_equal(play(without_noise(1e6), toy(5, 30), 3).models, dpsgd.models)


def test_an_update_is_clipped_to_its_norm(play, toy):
    """A node alone moves by lr · C and in the direction of its update."""
    task = toy(1, SIZE)
    run = play(without_noise(2.0), task, 1)
    update = task.update(0, task.initial, 0).value()
    moved = (task.initial.value() - run.models[0][0]) / task.lr
    assert moved == pytest.approx(update * (2 / np.linalg.norm(update)), abs=1e-5)


def test_the_noise_is_z_times_c_on_the_update(play, toy):
    """Within 5 standard errors of 4000 coordinates (3e-7)."""
    task = toy(1, SIZE)
    noisy = {"kind": "dp_sgd", "ldp": {"clip": 2.0, "noise_multiplier": 0.7}}
    runs = [play(protocol, task, 1).models[0][0] for protocol in (noisy, without_noise(2.0))]
    noise = (runs[1] - runs[0]) / task.lr
    assert abs(noise.std() - 1.4) < 5 * 1.4 / np.sqrt(2 * SIZE)


def test_rounds_add_up(play, toy):
    """ε of T Gaussian mechanisms of multiplier z/2; or the noise that a budget needs."""
    noisy = {"kind": "dp_sgd", "ldp": {"clip": 2.0, "noise_multiplier": 6.0}}
    notes = play(noisy, toy(3, 20), 5).player.protocol.notes()
    assert notes["epsilon"] == spent_epsilon(3.0, 5, 1e-5)
    budget = {"kind": "dp_sgd", "ldp": {"epsilon": 1.5, "rounds": 5}}
    notes = play(budget, toy(3, 20), 5).player.protocol.notes()
    assert notes["epsilon"] == pytest.approx(1.5, rel=1e-6)


def test_what_ldp_says_is_checked():
    """Both a noise and a budget, and an overlay that does not exist."""
    both = {"epsilon": 1.0, "rounds": 3, "noise_multiplier": 1.0}
    overlay = {"kind": "k_regular", "degree": 9}
    config = DpSgdConfig.model_validate({"ldp": both, "overlay": overlay})
    assert [where for where, _ in config.problems(5)] == [("overlay", "degree"), ("ldp",)]
