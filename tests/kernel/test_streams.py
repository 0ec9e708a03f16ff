"""Random streams depend on their name alone."""

import numpy as np
import pytest

from netsim.kernel import Streams


def test_same_name_gives_the_same_draws_whoever_drew_before() -> None:
    """Other streams may be drawn from in between."""
    first = Streams(7).rng("mask", 3, 1).random(5)
    streams = Streams(7)
    streams.rng("data").random(100)
    assert np.array_equal(streams.rng("mask", 3, 1).random(5), first)


def test_seed_purpose_and_each_key_matter() -> None:
    """Streams that differ in any part of the name differ."""
    names = [(7, "mask", (3, 1)), (8, "mask", (3, 1)), (7, "data", (3, 1))]
    names += [(7, "mask", (1, 3)), (7, "mask", (3,)), (7, "mask", (3, 1, 0))]
    firsts = {Streams(seed).rng(purpose, *keys).random() for seed, purpose, keys in names}
    assert len(firsts) == len(names)


def test_integer_is_a_stable_63_bit_seed() -> None:
    """It fits a signed 64-bit integer, repeats, and differs between names."""
    seeds = [Streams(1).integer("torch", k) for k in range(200)]
    assert seeds == [Streams(1).integer("torch", k) for k in range(200)]
    assert len(set(seeds)) == 200
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert max(seeds) > 2**62


def test_draws_are_pinned() -> None:
    """Results that were published stay reproducible: the first draw never changes."""
    assert Streams(0).integer("pin", 1) == 1576737785748375198


def test_a_negative_key_is_refused() -> None:
    """Keys number nodes and rounds."""
    with pytest.raises(ValueError, match="integer"):
        Streams(0).rng("mask", -1)
