"""What CEPAM promises: the paper's printed figures, the library, and plain integration."""

import math

import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss

from netsim.privacy.cepam import (
    Guarantee,
    amplified,
    gaussian_delta,
    gaussian_guarantee,
    laplace_delta,
    laplace_guarantee,
)

STEPS, SAMPLES = 15, 1667
"""τ, and |D| of 50,000 training samples among 30 clients (CEPAM, Section V)."""


def test_the_printed_budget_of_the_gaussian_variant() -> None:
    """ε̃ = 5.9 gives (1.45, 9.69e-3), a δ that is Eq. 16's for a ratio of any size."""
    found = gaussian_guarantee(1e3, 5.9, STEPS, 1 / SAMPLES)
    assert found.epsilon == pytest.approx(1.45, abs=0.005)
    assert found.delta == pytest.approx(9.69e-3, rel=2e-3)
    assert gaussian_guarantee(1e9, 5.9, STEPS, 1 / SAMPLES) == found


def test_the_printed_budget_of_the_laplace_variant() -> None:
    """ε̃ = 5000 gives ε = 4995, and δ = 0 where the noise is as large as that asks for."""
    found = laplace_guarantee(5000, 5000, STEPS, 1 / SAMPLES)
    assert found.epsilon == pytest.approx(4995, abs=0.5)
    assert found.delta == 0
    assert laplace_guarantee(5001, 5000, STEPS, 1 / SAMPLES).delta > 0


@pytest.mark.parametrize("ratio", [0.1, 1.0, 7.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0])
def test_gaussian_profile_is_the_library_s(ratio: float, epsilon: float) -> None:
    """Theorem 8, by dp-accounting."""
    expected = GaussianPrivacyLoss(1 / ratio).get_delta_for_epsilon(epsilon)
    assert gaussian_delta(ratio, epsilon) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("ratio", [0.5, 2.0, 6.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.9, 6.5])
def test_laplace_profile_by_integration(ratio: float, epsilon: float) -> None:
    """∫ max(0, p(z) − e^ε p(z − ratio)) for scale 1, to 1e-6; zero from ε = ratio on."""
    z = np.linspace(-40, 40, 2_000_001)
    excess = np.exp(-np.abs(z)) / 2 - math.exp(epsilon) * np.exp(-np.abs(z - ratio)) / 2
    integral = np.maximum(excess, 0).sum() * (z[1] - z[0])
    assert laplace_delta(ratio, epsilon) == pytest.approx(integral, abs=1e-6)


def test_amplification_by_hand() -> None:
    """One step on half the samples: ln((1 + e^ε̃)/2); on all of them nothing is gained."""
    assert amplified(2.0, 1, 0.5) == pytest.approx(math.log((1 + math.exp(2)) / 2))
    assert amplified(2.0, 7, 1.0) == 2
    assert amplified(1e5, 3, 0.1) == pytest.approx(1e5 + math.log(1 - 0.9**3))


@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
@pytest.mark.parametrize("steps", [1, 4])
def test_equation_16_term_by_term(steps: int, share: float) -> None:
    """Plain arithmetic for small numbers."""
    ratio, base = 0.3, 1.3
    expected = sum(
        math.comb(steps, j)
        * share**j
        * (1 - share) ** (steps - j)
        * math.expm1(base)
        / math.expm1(base / j)
        * gaussian_delta(ratio, base / j)
        for j in range(1, steps + 1)
    )
    assert gaussian_guarantee(ratio, base, steps, share).delta == pytest.approx(expected)


def test_many_steps_and_large_budgets_are_no_overflow() -> None:
    """Finite, and a δ of at most 1."""
    for ratio, base in ((1e-3, 1e-3), (3.0, 1e3), (1e4, 1e4)):
        found = gaussian_guarantee(ratio, base, 3000, 0.01)
        assert 0 <= found.delta <= 1
        assert 0 < found.epsilon <= base


@pytest.mark.parametrize("base", [1500.0, 1e4, 1e300])
def test_a_laplace_budget_beyond_the_noise_costs_no_delta(base: float) -> None:
    """However large it is."""
    assert laplace_guarantee(2.0, base, 15, 0.1).delta == 0


def test_rounds_add_up() -> None:
    """ε and δ both, and δ is no more than 1."""
    assert Guarantee(0.5, 1e-3).times(10) == Guarantee(5.0, 1e-2)
    assert Guarantee(0.5, 0.3).times(10) == Guarantee(5.0, 1.0)
