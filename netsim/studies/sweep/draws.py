"""Points of a study drawn in a box."""

from collections.abc import Iterator
from decimal import Decimal
from math import floor
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field, TypeAdapter, ValidationError

from netsim.kernel.streams import Streams
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.units import (
    Duration,
    Rate,
    Size,
    duration_text,
    rate_text,
    size_text,
)

Bound = int | float | str
_DIGITS = 6


class Range(Config):
    """From where to where a field's values lie, evenly or (``scale: log``) by their logarithms.

    Two whole numbers give whole numbers, both ends included; quantities carry their unit.
    """

    from_: Bound = Field(alias="from")
    to: Bound
    scale: Literal["linear", "log"] = "linear"

    def problems(self) -> Iterator[Finding]:
        """What pydantic cannot see."""
        units = [_unit(self.from_), _unit(self.to)]
        for name, given, unit in zip(("from", "to"), (self.from_, self.to), units, strict=True):
            if unit is None:
                yield (name,), f"{given!r} is no number and no rate, duration or size with its unit"
        if None in units:
            return
        if units[0] != units[1]:
            yield ("to",), f"is a {units[1]}, and from is a {units[0]}"
            return
        low, high = self._ends()
        if high < low:
            yield ("to",), "is less than from"
        if self.scale == "log" and low <= 0:
            yield ("from",), "has no logarithm; write more than 0, or scale: linear"

    def value(self, share: float) -> Bound:
        """What lies at this share, 0 ≤ share < 1, of the way."""
        low, high = self._ends()
        if isinstance(self.from_, int) and isinstance(self.to, int):
            return min(floor(self._between(low, high + 1, share)), self.to)
        number = self._between(low, high, share)
        short = float(f"{number:.{_DIGITS}g}")
        unit = _unit(self.from_)
        if unit == "rate":
            return rate_text(short)
        if unit == "duration":
            return duration_text(short)
        return size_text(round(number)) if unit == "size" else short

    def _between(self, low: float, high: float, share: float) -> float:
        if self.scale == "log":
            return low * float((high / low) ** share)
        return low + (high - low) * share

    def _ends(self) -> tuple[float, float]:
        return _number(self.from_), _number(self.to)


class Draws(Config):
    """``count`` points over the ranges of some fields."""

    count: int = Field(ge=1)
    over: Annotated[dict[str, Range], Field(min_length=1)]

    def problems(self) -> Iterator[Finding]:
        """What pydantic cannot see."""
        for key, each in self.over.items():
            yield from ((("over", key, *loc), text) for loc, text in each.problems())

    def points(self, kind: str, streams: Streams) -> list[dict[str, Any]]:
        """The values of each key at each point, drawn as ``kind`` says."""
        shares_DP = _shares(kind, self.count, len(self.over), streams).T
        values_DP = [
            [each.value(share) for share in shares]
            for each, shares in zip(self.over.values(), shares_DP.tolist(), strict=True)
        ]
        return [dict(zip(self.over, point, strict=True)) for point in zip(*values_DP, strict=True)]


def _shares(kind: str, count: int, fields: int, streams: Streams) -> npt.NDArray[np.float64]:
    """Points P in the unit cube of D dimensions, Float64[P, D]."""
    from scipy.stats import qmc

    rng = streams.rng(f"sweep {kind}")
    if kind == "random":
        return rng.random((count, fields))
    if kind == "latin":
        return np.asarray(qmc.LatinHypercube(fields, rng=rng).random(count))
    # Sobol' points are balanced in powers of two; of the next one the first ``count`` serve.
    return np.asarray(qmc.Sobol(fields, rng=rng).random_base2((count - 1).bit_length()))[:count]


_UNITS: tuple[tuple[str, TypeAdapter[Any]], ...] = (
    ("rate", TypeAdapter(Rate)),
    ("duration", TypeAdapter(Duration)),
    ("size", TypeAdapter(Size)),
)


def _unit(given: Bound) -> str | None:
    """What kind of number is given; None if it is none."""
    return _read(given)[0]


def _number(given: Bound) -> float:
    return _read(given)[1]


def _read(given: Bound) -> tuple[str | None, float]:
    if not isinstance(given, str):
        return "number", float(Decimal(given))
    for name, adapter in _UNITS:
        try:
            return name, float(adapter.validate_python(given))
        except ValidationError:
            continue
    return None, 0.0
