"""Sets of coordinates as bits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.wire.bits import fixed_width, read_fixed_width, read_unary, unary
from netsim.wire.header import WireError
from netsim.wire.positions import pack_positions, position_bits, unpack_positions

SMALL = st.lists(st.integers(0, 40), max_size=30).map(lambda xs: np.array(xs, np.int64))


@given(SMALL, st.integers(6, 12))
def test_fixed_width(numbers: np.ndarray, width: int) -> None:
    """Numbers come back from their bits, whatever follows them."""
    bits = fixed_width(numbers, width)
    assert len(bits) == width * len(numbers)
    assert "".join(map(str, bits)) == "".join(f"{x:0{width}b}" for x in numbers)
    more = np.append(bits, [1, 0, 1]).astype(np.uint8)
    assert read_fixed_width(more, len(numbers), width).tolist() == numbers.tolist()


@given(SMALL)
def test_unary(numbers: np.ndarray) -> None:
    """Numbers come back from their bits, whatever follows them."""
    bits = unary(numbers)
    assert "".join(map(str, bits)) == "".join("0" * x + "1" for x in numbers)
    more = np.append(bits, [1, 0, 1]).astype(np.uint8)
    assert read_unary(more, len(numbers)).tolist() == numbers.tolist()


@st.composite
def sets(draw: st.DrawFn) -> tuple[int, np.ndarray]:
    """A length and some coordinates below it: scattered, clustered, all or none."""
    n = draw(st.integers(0, 300))
    members = draw(st.sets(st.integers(0, max(n - 1, 0)))) if n else set()
    first, last = sorted((draw(st.integers(0, n)), draw(st.integers(0, n))))
    return n, np.array(sorted(members | set(range(first, last))), np.int64)


@given(sets(), st.integers(0, 9))
def test_round_trip(drawn: tuple[int, np.ndarray], padding: int) -> None:
    """The announced number of bits, never more than a bitmap's, and the same set again."""
    n, indices = drawn
    bits = pack_positions(n, indices)
    assert len(bits) == position_bits(n, indices) <= n + 1
    padded = np.append(bits, np.zeros(padding, np.uint8))
    assert unpack_positions(padded, n, len(indices)).tolist() == indices.tolist()


@pytest.mark.parametrize("density", [0.001, 0.01, 0.05, 0.2, 0.4, 0.5, 0.9])
def test_near_the_entropy_of_random_masks(density: float) -> None:
    """At most 5 % above log₂ C(n, k), the least possible mean, or else a bitmap's size."""
    n = 100_000
    k = round(density * n)
    mask = np.sort(np.random.default_rng(5).choice(n, k, replace=False))
    least_bits = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)
    assert position_bits(n, mask) <= (1.05 * least_bits if density <= 0.2 else n) + 1


@pytest.mark.parametrize(
    "bits",
    [
        pytest.param("0 01 11", id="gap 7 of 4 coordinates"),
        pytest.param("0 00 00", id="no number in unary"),
        pytest.param("1 0000", id="an empty bitmap"),
        pytest.param("1 1010", id="two of one in the bitmap"),
    ],
)
def test_no_such_positions(bits: str) -> None:
    """What does not name one of four coordinates (Rice parameter 2) is refused."""
    with pytest.raises(WireError, match="no 1 positions among 4"):
        unpack_positions(np.array([int(b) for b in bits.replace(" ", "")], np.uint8), 4, 1)


def test_both_schemes_are_used() -> None:
    """The last 400 of 1000: 800 + 300 bits as gaps, so a bitmap; 20 of them are fewer as gaps."""
    last = np.arange(600, 1000)
    assert pack_positions(1000, last)[0] == 1
    assert position_bits(1000, last) == 1001
    assert pack_positions(1000, last[::20])[0] == 0
    assert position_bits(1000, last[::20]) < 300
