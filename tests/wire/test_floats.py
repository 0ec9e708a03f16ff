"""Number formats against their definition."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.wire.floats import BFLOAT16, FLOAT16, FLOAT32

FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)


def bfloat16(pattern: int) -> np.float32:
    return np.array([pattern << 16], np.uint32).view(np.float32)[0]


@given(FINITE)
def test_bfloat16_is_the_nearest(x: float) -> None:
    """Against the two neighbours that hold 8 significant bits; a tie goes to the even one."""
    low = int(np.array([x], np.float32).view(np.uint32)[0]) >> 16
    rounded = BFLOAT16.round(np.array([x], np.float32))[0]
    if math.isinf(bfloat16(low + 1)):
        assert rounded in (bfloat16(low), bfloat16(low + 1))
        return
    errors = [abs(Fraction(float(bfloat16(low + i))) - Fraction(x)) for i in (0, 1)]
    nearest = low + (errors[1] < errors[0] or (errors[1] == errors[0] and low % 2 == 1))
    assert rounded.tobytes() == bfloat16(nearest).tobytes()


@given(st.lists(st.floats(width=32)))
def test_formats_keep_what_they_can(numbers: list[float]) -> None:
    """NaN stays NaN, float32 stays as it is, float16 is what numpy's cast gives."""
    x = np.array(numbers, np.float32)
    with np.errstate(all="ignore"):
        expected = x.astype(np.float16).astype(np.float32)
    assert FLOAT16.round(x).tobytes() == expected.tobytes()
    assert FLOAT32.round(x) is x
    assert np.isnan(BFLOAT16.round(x)).tolist() == np.isnan(x).tolist()


@pytest.mark.parametrize("pattern", [0x7F800001, 0x7FFFFFFF, 0xFFFFFFFF, 0xFF800001])
def test_bfloat16_nan_does_not_become_a_number(pattern: int) -> None:
    """NaNs whose high half is that of infinity, or that a carry would run over."""
    x = np.array([pattern], np.uint32).view(np.float32)
    assert np.isnan(BFLOAT16.round(x)).all()


@pytest.mark.parametrize(
    ("pattern", "rounded"),
    [(0x3F808000, 0x3F80), (0x3F808001, 0x3F81), (0x3F818000, 0x3F82), (0xBF808000, 0xBF80)],
)
def test_bfloat16_ties(pattern: int, rounded: int) -> None:
    """Halfway between two numbers the one with an even last bit is taken."""
    x = np.array([pattern], np.uint32).view(np.float32)
    assert BFLOAT16.round(x)[0] == bfloat16(rounded)


def test_overflow() -> None:
    """Numbers beyond a format's range become infinite."""
    big = np.array([1e6, -1e6, np.finfo(np.float32).max], np.float32)
    assert FLOAT16.round(big).tolist() == [math.inf, -math.inf, math.inf]
    assert BFLOAT16.round(big)[2] == math.inf


def test_bytes_are_little_endian() -> None:
    """1.0 in each format."""
    one = np.ones(1, np.float32)
    assert FLOAT32.pack(one).hex() == "0000803f"
    assert FLOAT16.pack(one).hex() == "003c"
    assert BFLOAT16.pack(one).hex() == "803f"


def test_decoded_values_can_be_written() -> None:
    """A receiver owns its arrays; they do not alias the message."""
    for form in (FLOAT32, FLOAT16, BFLOAT16):
        values = form.unpack(memoryview(form.pack(np.ones(3, np.float32))))
        values += 1
        assert values.tolist() == [2, 2, 2]
