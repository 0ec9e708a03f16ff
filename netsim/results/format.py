"""Numbers as people read them: three digits and a unit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """A unit of ``factor`` base units, used from ``least`` base units on."""

    name: str
    factor: float
    least: float


TIME_UNITS = (
    Unit("ns", 1e-9, 0.0),
    Unit("µs", 1e-6, 1e-6),
    Unit("ms", 1e-3, 1e-3),
    Unit("s", 1.0, 1.0),
    Unit("min", 60.0, 120.0),
    Unit("h", 3600.0, 7200.0),
    Unit("d", 86400.0, 172800.0),
)
BYTE_UNITS = (
    Unit("B", 1.0, 0.0),
    Unit("kB", 1e3, 1e3),
    Unit("MB", 1e6, 1e6),
    Unit("GB", 1e9, 1e9),
    Unit("TB", 1e12, 1e12),
    Unit("PB", 1e15, 1e15),
)
_ROUNDS_UP = 1.0005
"""999.6 ms reads 1.00 s, not 1000 ms."""


def unit_for(value: float, units: Sequence[Unit]) -> Unit:
    """The unit in which ``value`` (≥ 0, in base units) reads best."""
    return [unit for unit in units if value * _ROUNDS_UP >= unit.least][-1]


def digits(value: float) -> str:
    """Three significant digits without an exponent: 0.0123, 1.20, 345, 12345."""
    if value == 0:
        return "0"
    decimals = 2 - math.floor(math.log10(abs(value) * _ROUNDS_UP))
    return f"{value:.{max(0, decimals)}f}"


def seconds(value: float | None) -> str:
    """A time in the unit that fits, ``-`` for none."""
    return _quantity(value, TIME_UNITS, zero="0 s")


def byte_size(value: float | None) -> str:
    """A number of bytes in decimal units (MB = 10⁶ bytes), ``-`` for none."""
    return _quantity(value, BYTE_UNITS, zero="0 B")


def accuracy(value: float | None) -> str:
    """An accuracy as a fraction, ``-`` for none."""
    return "-" if value is None else f"{value:.3f}"


def metric(name: str, value: float | None) -> str:
    """A metric's value, ``-`` for none."""
    if value is None or name == "accuracy":
        return accuracy(value)
    return digits(value)


def ratio(value: float | None) -> str:
    """A ratio with its sign, ``-`` for none."""
    return "-" if value is None else f"{value:.3f}×"


def percent(share: float) -> str:
    """A share of one in percent."""
    return f"{digits(100 * share)} %"


def target(value: float) -> str:
    """An accuracy target with at least two decimals: 0.80, 0.925."""
    text = f"{value:.2f}"
    return text if float(text) == value else repr(value)


def as_bytes(bits: int) -> int | float:
    """Bits as bytes, a whole number where it is one."""
    return bits // 8 if bits % 8 == 0 else bits / 8


def _quantity(value: float | None, units: Sequence[Unit], zero: str) -> str:
    if value is None:
        return "-"
    if value == 0:
        return zero
    unit = unit_for(value, units)
    amount = value / unit.factor
    whole = unit.name == "B" and amount == int(amount)
    return f"{int(amount) if whole else digits(amount)} {unit.name}"
