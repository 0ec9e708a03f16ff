"""Types of fields that carry a unit: ``Rate``, ``Duration`` and ``Size``.

In a file they are texts such as ``20 Mbit/s``, ``10 ms`` and ``356 kB``; a bare number is an
error, zero included. In a model they are plain numbers in bit/s, seconds and bits. Prefixes are
powers of ten except in KiB and MiB, and a byte has 8 bits. Defaults are given through
``rate``, ``duration`` and ``size``.
"""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

from netsim.scenario.quantity import Quantity

_MAX_BITS = 2**63 - 1
_PREFIXES = ("", "k", "M", "G")


def _scaled(factor: int, names: str) -> dict[str, Fraction]:
    return {name: Fraction(factor * 1000**power) for power, name in enumerate(names.split())}


_RATES = Quantity(
    noun="rate",
    units=_scaled(1, "bit/s kbit/s Mbit/s Gbit/s") | _scaled(8, "B/s kB/s MB/s GB/s"),
    written=("bit/s", "kbit/s", "Mbit/s", "Gbit/s"),
    examples=("Mbit/s", "MB/s"),
    refused={f"{p}{bits}": (f"{p}bit/s",) for p in _PREFIXES for bits in ("bps", "b/s", "bit")}
    | {f"{p}{bytes_}": (f"{p}B/s",) for p in _PREFIXES for bytes_ in ("Bps", "B")}
    | {f"{p.lower()}{b}": (f"{p}bit/s", f"{p}B/s") for p in "MG" for b in ("bps", "b/s", "b")}
    | {"Kbps": ("kbit/s",), "Kb/s": ("kbit/s",), "KBps": ("kB/s",)},
    base="bit/s",
)
_DURATIONS = Quantity(
    noun="duration",
    units={
        "us": Fraction(1, 10**6),
        "ms": Fraction(1, 1000),
        "s": Fraction(1),
        "min": Fraction(60),
        "h": Fraction(3600),
    },
    written=("us", "ms", "s", "min", "h"),
    examples=("ms", "s"),
    refused={"m": ("min", "ms"), "µs": ("us",), "μs": ("us",)}
    | dict.fromkeys(("sec", "secs", "second", "seconds"), ("s",))
    | dict.fromkeys(("hr", "hrs", "hour", "hours"), ("h",))
    | dict.fromkeys(("mins", "minute", "minutes"), ("min",)),
    base="s",
)
_SIZES = Quantity(
    noun="size",
    units=_scaled(1, "bit kbit Mbit Gbit")
    | _scaled(8, "B kB MB GB")
    | {f"{prefix}iB": Fraction(8 * 1024**power) for power, prefix in enumerate("KMG", 1)},
    written=("B", "kB", "KiB", "MB", "MiB", "GB", "GiB"),
    examples=("kB", "kbit"),
    refused={f"{p}b": (f"{p}bit", f"{p}B") for p in _PREFIXES}
    | {"mb": ("Mbit", "MB"), "gb": ("Gbit", "GB")}
    | {"KB": ("kB", "KiB"), "K": ("kB", "KiB"), "Kb": ("kbit", "kB")}
    | {"byte": ("B",), "bytes": ("B",), "bits": ("bit",)},
    base="B",
)
_SIZES_IN_BITS = replace(_SIZES, written=("bit", "kbit", "Mbit", "Gbit"))


class _Float(float):
    """A number whose unit has been read; only so can a default be told from a bare number."""


class _Int(int):
    """As ``_Float``, for sizes."""


def rate(text: str) -> float:
    """A rate in bit/s, as the default of a ``Rate`` field: ``rate("20 Mbit/s")``."""
    return _Float(_rate(text))


def duration(text: str) -> float:
    """A duration in s, as the default of a ``Duration`` field: ``duration("10 ms")``."""
    return _Float(_duration(text))


def size(text: str) -> int:
    """A size in bits, as the default of a ``Size`` field: ``size("356 kB")``."""
    return _Int(_size(text))


def rate_text(rate_bps: float) -> str:
    """A rate as text that a ``Rate`` field reads as the identical number."""
    return _RATES.write(_shortest(rate_bps))


def duration_text(time_s: float) -> str:
    """A duration as text that a ``Duration`` field reads as the identical number."""
    return _DURATIONS.write(_shortest(time_s))


def size_text(size_bits: int) -> str:
    """A size as text that a ``Size`` field reads as the identical number."""
    quantity = _SIZES_IN_BITS if size_bits % 8 else _SIZES
    return quantity.write(Fraction(size_bits))


def base_unit(text: str) -> str | None:
    """What a model counts the quantity in this text in: bit/s, s or bit; None for other texts."""
    word = text.rpartition(" ")[2]
    kinds = {"bit/s": _RATES, "s": _DURATIONS, "bit": _SIZES}
    return next((unit for unit, kind in kinds.items() if word in kind.units), None)


def expected_text(metadata: Iterable[object]) -> str | None:
    """What a field with this metadata looks like in a file; None if it has no unit."""
    kinds = {rate_text: _RATES, duration_text: _DURATIONS, size_text: _SIZES}
    funcs = [item.func for item in metadata if isinstance(item, PlainSerializer)]
    return next((kinds[func].expected for func in funcs if func in kinds), None)


def _rate(given: object) -> float:
    return _number(_RATES, given)


def _duration(given: object) -> float:
    return _number(_DURATIONS, given)


def _number(quantity: Quantity, given: object) -> float:
    if isinstance(given, _Float):
        return float(given)
    exact = quantity.read(given)
    try:
        number = float(exact)
    except OverflowError:
        raise ValueError(f"{given!r} is too large") from None
    if exact and not number:
        raise ValueError(f"{given!r} is too small to tell from zero")
    return number


def _size(given: object) -> int:
    if isinstance(given, _Int):
        return int(given)
    exact = _SIZES.read(given)
    if exact.denominator != 1:
        raise ValueError(f"{given!r} is not a whole number of bits")
    if exact > _MAX_BITS:
        raise ValueError(f"{given!r} is too large; a size is less than 2^63 bits")
    return exact.numerator


def _shortest(number: float) -> Fraction:
    """The decimal that Python prints for ``number``: it reads back as the identical one."""
    return Fraction(Decimal(repr(float(number))))


Rate = Annotated[
    float,
    BeforeValidator(_rate),
    PlainSerializer(rate_text, when_used="json"),
]
"""A field in bit/s."""

Duration = Annotated[
    float,
    BeforeValidator(_duration),
    PlainSerializer(duration_text, when_used="json"),
]
"""A field in s."""

Size = Annotated[int, BeforeValidator(_size), PlainSerializer(size_text, when_used="json")]
"""A field in bits."""
