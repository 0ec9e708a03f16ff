"""Information between parts of Gaussians: by hand, by plain integration, and under Theorem 4."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.theory.gaussian import (
    conditional_spectrum,
    information_nats,
    neighbouring_covariance,
)
from netsim.theory.leakage import (
    gaussian_coordinate_nats,
    gaussian_pair_nats,
    shatter_leakage_nats,
)


def drawn(seed: int, n: int) -> np.ndarray:
    """A random covariance of n coordinates."""
    root = np.random.default_rng(seed).normal(size=(n, n + 4))
    return root @ root.T / n


def test_two_coordinates_by_hand() -> None:
    """−½ ln(1 − ρ²), and 1 − ρ² is left of the variance."""
    pair, first = np.array([[1.0, 0.8], [0.8, 1.0]]), np.array([True, False])
    assert information_nats(pair, first) == pytest.approx(-math.log(1 - 0.64) / 2)
    assert conditional_spectrum(pair, first) == pytest.approx((0.36, 0.36, 0.36))
    assert neighbouring_covariance(2, 0.8).tolist() == pair.tolist()


def test_a_part_that_is_empty_tells_nothing() -> None:
    """Nothing received, or everything."""
    for received in (np.zeros(4, bool), np.ones(4, bool)):
        assert information_nats(drawn(1, 4), received) == 0


@given(st.integers(0, 10_000), st.integers(2, 9), st.data())
def test_theorem_4_bounds_any_gaussian(seed: int, n: int, data: st.DataObject) -> None:
    """The corrected bound from the spectrum of what was received given the rest."""
    received = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    if not 2 <= received.sum() < n:
        return
    covariance = drawn(seed, n)
    lowest, highest, trace = conditional_spectrum(covariance, received)
    largest = float(np.abs(covariance).max())
    bound = shatter_leakage_nats(int(received.sum()), largest, lowest, highest, trace)
    assert information_nats(covariance, received) <= bound * (1 + 1e-9)


@pytest.mark.parametrize("correlation", [0.0, 0.5, -0.5, 0.99])
def test_pairs_by_determinants(correlation: float) -> None:
    """½ ln det(data and noise)/det(noise), and joint information beyond twice that of one."""
    variance, conditional = 3.0, 0.5
    noise = conditional * np.array([[1, correlation], [correlation, 1]])
    both = noise + (variance - conditional) * np.eye(2)
    expected = math.log(np.linalg.det(both) / np.linalg.det(noise)) / 2
    together = gaussian_pair_nats(variance, conditional, correlation)
    assert together == pytest.approx(expected)
    twice = 2 * gaussian_coordinate_nats(variance, conditional)
    assert together == pytest.approx(twice) if correlation == 0 else together > twice


@pytest.mark.parametrize("given", [(1.0, 2.0, 0.0), (1.0, 0.0, 0.0), (2.0, 1.0, 1.0)])
def test_pairs_that_cannot_be(given: tuple[float, float, float]) -> None:
    """Less variance than given the data, none at all, and noise that is one."""
    with pytest.raises(ValueError, match="variances"):
        gaussian_pair_nats(*given)
