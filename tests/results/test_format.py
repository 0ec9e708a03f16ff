"""Numbers as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.results import format
from netsim.results.records import Bound
from netsim.results.words import bound_in_words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (0.0, "0 s"),
        (2.5e-11, "0.0250 ns"),
        (4e-6, "4.00 µs"),
        (0.0123, "12.3 ms"),
        (0.62, "620 ms"),
        (0.99949, "999 ms"),
        (0.9996, "1.00 s"),
        (12.54, "12.5 s"),
        (119.0, "119 s"),
        (150.0, "2.50 min"),
        (9000.0, "2.50 h"),
        (864000.0, "10.0 d"),
        (86400.0 * 12345, "12345 d"),
    ],
)
def test_seconds(value, text):
    """Three digits and the unit that fits."""
    assert format.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "-"), (0, "0 B"), (7, "7 B"), (1.5, "1.50 B"), (999.6, "1.00 kB"), (6.6e6, "6.60 MB")],
)
def test_byte_size(value, text):
    """Decimal units; whole bytes have no decimals."""
    assert format.byte_size(value) == text


@given(st.floats(1e-300, 1e300))
def test_three_digits_are_the_number(value):
    """Within half a unit of the third digit, never with an exponent."""
    text = format.digits(value)
    assert "e" not in text
    assert float(text) == pytest.approx(value, rel=0.0051)


def test_targets_and_ratios():
    """Targets have the decimals they need, at least two."""
    assert [format.target(t) for t in (0.8, 0.925, 1.0)] == ["0.80", "0.925", "1.00"]
    assert format.ratio(1.0333) == "1.033×"
    assert format.accuracy(0.91) == "0.910"


def test_bytes_are_whole_where_they_are():
    """No 3.0 in a file where 3 is meant."""
    assert [repr(format.as_bytes(bits)) for bits in (24, 12)] == ["3", "1.5"]


@pytest.mark.parametrize(
    ("bound", "sentence"),
    [
        (
            Bound("eq52", 0.6, 0.6, 1.0 + 1e-9),
            "The simulated time equals the achievable optimum of 600 ms a round. "
            "The closed form eq52 gives 600 ms, the same as the optimum.",
        ),
        (
            Bound("eq53", 0.3, 0.6, 1.033),
            "The simulated time lies 3.30 % above the achievable optimum of 600 ms a round. "
            "The closed form eq53 gives 300 ms, 50.0 % below the optimum; closed forms "
            "count values alone, the optimum all that links carry.",
        ),
        (
            Bound("eq53", 1.2, 0.6, 0.9),
            "The simulated time lies 10.0 % below the achievable optimum of 600 ms a round: bound "
            "violated. The closed form eq53 gives 1.20 s, 100 % above the optimum, so it is no "
            "lower bound here.",
        ),
        (
            Bound(None, None, 0.6, 1.0),
            "The simulated time equals the achievable optimum of 600 ms a round.",
        ),
        (
            Bound("eq55", 0.6, None, None),
            "No round is complete and apart from the others, so there is no optimum. "
            "The closed form eq55 gives 600 ms.",
        ),
    ],
)
def test_bounds_in_words(bound, sentence):
    """Equal, above, below, without formula, without optimum."""
    assert bound_in_words(bound) == sentence
