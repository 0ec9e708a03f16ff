"""Rand-k: how much it keeps, and that its mean and variance are the stated ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.kernel.streams import Streams
from netsim.wire.sparsify import RandK, gamma

N, DRAWS, KEEP = 40, 20_000, 0.15
ALARM = 1e-6


@pytest.mark.parametrize(
    ("keep", "size", "kept"),
    [(0.05, 1000, 50), (0.05, 1001, 51), (0.07, 100, 7), (0.1, 3, 1), (1.0, 7, 7), (0.3, 0, 0)],
)
def test_kept(keep: float, size: int, kept: int) -> None:
    """⌈keep · size⌉ of the decimal number; 0.07 · 100 is 7 and not 8."""
    assert RandK(keep).kept(size) == kept


def test_kept_of_huge_shards() -> None:
    """No rounding at 1.3 billion."""
    assert RandK(0.01).kept(1_300_000_000) == 13_000_000
    assert RandK(0.01).kept(1_300_000_001) == 13_000_001


@pytest.mark.parametrize("keep", [0, -0.1, 1.1, math.nan])
def test_impossible_shares(keep: float) -> None:
    """A share to keep is above 0 and at most 1."""
    with pytest.raises(ValueError, match="keep is"):
        RandK(keep)


@given(st.floats(0.001, 1), st.integers(0, 300), st.integers(0, 2**64 - 1))
def test_masks(keep: float, size: int, seed: int) -> None:
    """k different coordinates in order, the same again from the same seed."""
    rand_k = RandK(keep)
    mask = rand_k.seeded_mask(size, seed)
    assert mask.dtype == np.int64
    assert len(set(mask.tolist())) == len(mask) == rand_k.kept(size)
    assert mask.tolist() == sorted(mask)
    assert not len(mask) or 0 <= mask[0] <= mask[-1] < size
    assert mask.tolist() == rand_k.seeded_mask(size, seed).tolist()


def test_keeping_all_changes_nothing() -> None:
    """keep = 1 is the identity, to the bit, with ω = 0."""
    x = Streams(1).rng("test").normal(size=9).astype(np.float32)
    whole = RandK(1.0)
    assert whole.compress(x, whole.seeded_mask(9, 4)).tobytes() == x.tobytes()
    assert whole.omega(9) == whole.omega(0) == 0


def test_omega_follows_the_rounding_up() -> None:
    """A shard of 3 keeps 1 of it under keep = 0.1: ω = 2, not 9."""
    assert RandK(0.1).omega(3) == 2
    assert RandK(0.05).omega(1000) == 19


@pytest.fixture(scope="module")
def hits() -> np.ndarray:
    """Which of N coordinates each of many masks keeps, bool[DRAWS, N]."""
    rng, rand_k = Streams(11).rng("test"), RandK(KEEP)
    hits = np.zeros((DRAWS, N), bool)
    for row in hits:
        row[rand_k.mask(N, rng)] = True
    return hits


def test_unbiased(hits: np.ndarray) -> None:
    """E C(x) = x: each coordinate is kept with probability k/N and then scaled by N/k.

    By Hoeffding and a union over coordinates a right program fails for less than 1 in 10⁶
    seeds; a mask that prefers a coordinate by 15 % of its probability is noticed.
    """
    rand_k = RandK(KEEP)
    slack = math.sqrt(math.log(2 * N / ALARM) / (2 * DRAWS))
    assert abs(hits.mean(axis=0) - rand_k.kept(N) / N).max() < slack
    ones = np.ones(N, np.float32)
    scaled = rand_k.compress(ones, rand_k.seeded_mask(N, 1))
    assert scaled.tolist() == pytest.approx([N / rand_k.kept(N)] * rand_k.kept(N))


def test_variance(hits: np.ndarray) -> None:
    """E‖C(x) − x‖² = ω‖x‖², the mean of draws within Hoeffding's slack at 1 in 10⁶."""
    rand_k = RandK(KEEP)
    x = Streams(12).rng("test").normal(size=N).astype(np.float32)
    error = np.zeros(DRAWS)
    for draw, kept in enumerate(hits):
        indices = np.flatnonzero(kept)
        compressed = np.zeros(N, np.float32)
        compressed[indices] = rand_k.compress(x, indices)
        error[draw] = ((compressed - x) ** 2).sum(dtype=float)
    norm = float((x.astype(float) ** 2).sum())
    largest = max(rand_k.omega(N), 1) ** 2 * norm
    slack = largest * math.sqrt(math.log(2 / ALARM) / (2 * DRAWS))
    assert error.max() <= largest * (1 + 1e-6)
    assert abs(error.mean() - rand_k.omega(N) * norm) < slack


def test_gamma() -> None:
    """√(1/2) without compression; ω = 1 gives √(3/16); it falls with ω."""
    assert gamma(0) == pytest.approx(math.sqrt(0.5))
    assert gamma(1) == pytest.approx(math.sqrt(3) / 4)
    assert gamma(19) < gamma(18)
