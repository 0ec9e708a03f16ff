"""Numbers with units: exact to read, identical when written and read again."""

import math
from typing import Annotated

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError

from netsim.scenario.config import Config
from netsim.scenario.units import (
    Duration,
    Rate,
    Size,
    duration,
    duration_text,
    rate,
    rate_text,
    size,
    size_text,
)

RATE, DURATION, SIZE = TypeAdapter(Rate), TypeAdapter(Duration), TypeAdapter(Size)


@pytest.mark.parametrize(
    ("text", "rate_bps"),
    [
        ("20 Mbit/s", 20e6),
        ("20Mbit/s", 20e6),
        ("  20   Mbit/s ", 20e6),
        ("20 MB/s", 160e6),
        ("1.5 kbit/s", 1500.0),
        ("2 Gbit/s", 2e9),
        ("1 GB/s", 8e9),
        ("1 kB/s", 8e3),
        ("3 B/s", 24.0),
        (".5 bit/s", 0.5),
        ("1e3 bit/s", 1000.0),
        ("0 bit/s", 0.0),
        ("-0 bit/s", 0.0),
    ],
)
def test_rates(text: str, rate_bps: float) -> None:
    """Prefixes are powers of ten; a byte has 8 bits."""
    assert RATE.validate_python(text) == rate_bps


@pytest.mark.parametrize(
    ("text", "time_s"),
    [
        ("10 ms", 0.01),
        ("250 us", 0.00025),
        ("1.1 s", 1.1),
        ("2 min", 120.0),
        ("1.5 h", 5400.0),
        ("0 s", 0.0),
    ],
)
def test_durations(text: str, time_s: float) -> None:
    """Each is the float nearest to what is written: 1.1 s is 1.1, not 1100 * 0.001."""
    assert DURATION.validate_python(text) == time_s


@pytest.mark.parametrize(
    ("text", "size_bits"),
    [
        ("356 kB", 2_848_000),
        ("3 bit", 3),
        ("1 kbit", 1000),
        ("0.125 kB", 1000),
        ("1 Mbit", 10**6),
        ("1 KiB", 8192),
        ("1 MiB", 8 * 1024**2),
        ("2 GB", 16 * 10**9),
        ("1 B", 8),
        ("0 B", 0),
    ],
)
def test_sizes(text: str, size_bits: int) -> None:
    """Sizes are whole bits."""
    assert SIZE.validate_python(text) == size_bits
    assert type(SIZE.validate_python(text)) is int


def test_a_second_is_exactly_a_second() -> None:
    """12.5 MB over 100 Mbit/s take exactly 1 s."""
    assert SIZE.validate_python("12.5 MB") / RATE.validate_python("100 Mbit/s") == 1.0


@pytest.mark.parametrize(
    ("adapter", "given_", "message"),
    [
        (RATE, 20, "'20' has no unit; write '20 Mbit/s' or '20 MB/s'"),
        (RATE, "20", "'20' has no unit; write '20 Mbit/s' or '20 MB/s'"),
        (RATE, 20.5, "'20.5' has no unit; write '20.5 Mbit/s' or '20.5 MB/s'"),
        (RATE, 2e7, "'20000000' has no unit; write '20000000 Mbit/s' or '20000000 MB/s'"),
        (RATE, 0, "'0' has no unit; write '0 Mbit/s' or '0 MB/s'"),
        (RATE, "20 Mbps", "'20 Mbps': unknown unit 'Mbps'; write '20 Mbit/s'"),
        (RATE, "20 mbps", "'20 mbps': unknown unit 'mbps'; write '20 Mbit/s' or '20 MB/s'"),
        (RATE, "20 Mb/s", "'20 Mb/s': unknown unit 'Mb/s'; write '20 Mbit/s'"),
        (RATE, "20 MBps", "'20 MBps': unknown unit 'MBps'; write '20 MB/s'"),
        (RATE, "20 MB", "'20 MB': unknown unit 'MB'; write '20 MB/s'"),
        (RATE, "20 MBIT/S", "'20 MBIT/S': unknown unit 'MBIT/S'; write '20 Mbit/s'"),
        (
            RATE,
            "20 ms",
            "'20 ms': unknown unit 'ms'; known: "
            "bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, GB/s",
        ),
        (RATE, "-1 bit/s", "'-1 bit/s' is negative; a rate is zero or more"),
        (RATE, -1, "'-1' is negative; a rate is zero or more"),
        (RATE, "1e400 bit/s", "'1e400 bit/s' is too large"),
        (RATE, "fast", "must be a rate such as '20 Mbit/s', not 'fast'"),
        (RATE, "1,5 Mbit/s", "must be a rate such as '20 Mbit/s', not '1,5 Mbit/s'"),
        (RATE, "٢ Mbit/s", "must be a rate such as '20 Mbit/s', not '٢ Mbit/s'"),
        (RATE, "", "must be a rate such as '20 Mbit/s', not ''"),
        (RATE, True, "must be a rate such as '20 Mbit/s', not true"),
        (RATE, None, "must be a rate such as '20 Mbit/s', not empty"),
        (RATE, math.nan, "must be a rate such as '20 Mbit/s', not nan"),
        (RATE, ["1 bit/s"], "must be a rate such as '20 Mbit/s', not a list"),
        (DURATION, 10, "'10' has no unit; write '10 ms' or '10 s'"),
        (DURATION, "3 m", "'3 m': unknown unit 'm'; write '3 min' or '3 ms'"),
        (DURATION, "3 µs", "'3 µs': unknown unit 'µs'; write '3 us'"),
        (DURATION, "3 seconds", "'3 seconds': unknown unit 'seconds'; write '3 s'"),
        (DURATION, "5 Mbps", "'5 Mbps': unknown unit 'Mbps'; known: us, ms, s, min, h"),
        (DURATION, "1e-400 s", "'1e-400 s' is too small to tell from zero"),
        (DURATION, "12:30:45", "must be a duration such as '20 ms', not '12:30:45'"),
        (SIZE, 356, "'356' has no unit; write '356 kB' or '356 kbit'"),
        (SIZE, "356 KB", "'356 KB': unknown unit 'KB'; write '356 kB' or '356 KiB'"),
        (SIZE, "356 Mb", "'356 Mb': unknown unit 'Mb'; write '356 Mbit' or '356 MB'"),
        (SIZE, "0.3 bit", "'0.3 bit' is not a whole number of bits"),
        (SIZE, "1e18 GB", "'1e18 GB' is too large; a size is less than 2^63 bits"),
    ],
)
def test_bad_quantities(adapter: TypeAdapter[float], given_: object, message: str) -> None:
    """Each mistake says what to write instead."""
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python(given_)
    (error,) = caught.value.errors()
    assert error["msg"].removeprefix("Value error, ") == message


@pytest.mark.parametrize(
    ("rate_bps", "text"),
    [
        (20e6, "20 Mbit/s"),
        (1.5e9, "1.5 Gbit/s"),
        (100e6, "100 Mbit/s"),
        (0.25, "0.25 bit/s"),
        (0.0, "0 bit/s"),
        (1e30, "1e+30 bit/s"),
    ],
)
def test_readable_rates(rate_bps: float, text: str) -> None:
    """Written in the largest unit that fits."""
    assert rate_text(rate_bps) == text


@pytest.mark.parametrize(
    ("time_s", "text"),
    [
        (0.01, "10 ms"),
        (0.0, "0 s"),
        (60.0, "60 s"),
        (5400.0, "1.5 h"),
        (2.5e-7, "0.25 us"),
        (100.0, "100 s"),
    ],
)
def test_readable_durations(time_s: float, text: str) -> None:
    """Minutes and hours only where they are exact and short."""
    assert duration_text(time_s) == text


@pytest.mark.parametrize(
    ("size_bits", "text"),
    [
        (2_848_000, "356 kB"),
        (8192, "1 KiB"),
        (3, "3 bit"),
        (1001, "1001 bit"),
        (12_500_100, "12.5001 Mbit"),
        (0, "0 B"),
    ],
)
def test_readable_sizes(size_bits: int, text: str) -> None:
    """Bytes where they are whole."""
    assert size_text(size_bits) == text


NUMBERS = st.floats(min_value=0, allow_infinity=False, allow_nan=False)


@settings(deadline=None)
@given(NUMBERS)
@example(5e-324)
@example(1.7976931348623157e308)
@example(1 / 3)
def test_rates_come_back(rate_bps: float) -> None:
    """What is written reads as the identical number."""
    assert RATE.validate_python(RATE.dump_python(rate_bps, mode="json")) == rate_bps


@settings(deadline=None)
@given(NUMBERS)
@example(5e-324)
@example(7200.000000000001)
def test_durations_come_back(time_s: float) -> None:
    """What is written reads as the identical number."""
    assert DURATION.validate_python(DURATION.dump_python(time_s, mode="json")) == time_s


@settings(deadline=None)
@given(st.integers(0, 2**63 - 1))
@example(2**63 - 1)
def test_sizes_come_back(size_bits: int) -> None:
    """What is written reads as the identical number."""
    assert SIZE.validate_python(SIZE.dump_python(size_bits, mode="json")) == size_bits


@settings(deadline=None)
@given(st.text(max_size=20))
def test_any_text_is_a_number_or_a_plain_error(text: str) -> None:
    """No text makes anything but a number or a ValidationError."""
    try:
        assert RATE.validate_python(text) >= 0
    except ValidationError:
        assert True


def test_defaults_are_written_with_units() -> None:
    """A default is a plain number in the model; a bare one is refused like any other."""

    class Link(Config):
        uplink: Rate = rate("20 Mbit/s")
        latency: Duration = duration("10 ms")
        message: Size = size("1 kB")

    link = Link()
    assert [type(link.uplink), type(link.latency), type(link.message)] == [float, float, int]
    assert link.model_dump() == {"uplink": 20e6, "latency": 0.01, "message": 8000}
    assert link.model_dump(mode="json") == {
        "uplink": "20 Mbit/s",
        "latency": "10 ms",
        "message": "1 kB",
    }

    class Bare(Config):
        latency: Duration = 0.0

    with pytest.raises(ValidationError, match="'0' has no unit"):
        Bare()


def test_bounds_apply_after_the_unit() -> None:
    """A field may bound a quantity."""
    adapter: TypeAdapter[float] = TypeAdapter(Annotated[Rate, Field(gt=0)])
    with pytest.raises(ValidationError, match="greater than 0"):
        adapter.validate_python("0 Mbit/s")
