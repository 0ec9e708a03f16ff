"""Numbers with units: read exactly, written back so that they read the same."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact
from fractions import Fraction

from pydantic_core import PydanticCustomError

from netsim.scenario.suggest import quoted

_NUMBER = r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?"
_FORM = re.compile(rf"\s*({_NUMBER})\s*([^\W\d_][^\s\d]*)?\s*")
_EXACT = Context(prec=60, traps=[Inexact])


@dataclass(frozen=True)
class Quantity:
    """A kind of number with units.

    ``units`` maps each name to its factor, ``written`` lists those used for writing from small
    to large, ``examples`` shows two of them in messages, ``refused`` maps a wrong unit to those
    its writer may have meant, and zero is written in ``base``.
    """

    noun: str
    units: Mapping[str, Fraction]
    written: tuple[str, ...]
    examples: tuple[str, ...]
    refused: Mapping[str, tuple[str, ...]]
    base: str

    def read(self, given: object) -> Fraction:
        """The exact value of ``given``, a text of number and unit.

        Raises ValueError with what to write instead.
        """
        form = _FORM.fullmatch(_plain(given))
        if form is None:
            raise PydanticCustomError(
                "quantity_form",
                "must be {expected}, not {given}",
                {"expected": self.expected, "given": quoted(given)},
            )
        number, unit = form.group(1), form.group(2)
        value = Fraction(Decimal(number))
        if value < 0:
            raise ValueError(f"{_named(given)} is negative; a {self.noun} is zero or more")
        if unit is None:
            hints = self._with_unit(number, self.examples)
            raise ValueError(f"{_named(given)} has no unit; write {hints}")
        if unit not in self.units:
            raise ValueError(self._unknown_unit(given, number, unit))
        return value * self.units[unit]

    def write(self, value: Fraction) -> str:
        """The shortest text that reads as exactly ``value``, in the largest fitting unit."""
        if value == 0:
            return f"0 {self.base}"
        fitting = [unit for unit in self.written if value >= self.units[unit]]
        texts = [self._written(value, unit) for unit in fitting or self.written[:1]]
        return min((text for text in reversed(texts) if text), key=len)

    @property
    def expected(self) -> str:
        """What a value looks like, for messages."""
        return f"a {self.noun} such as '20 {self.examples[0]}'"

    def _written(self, value: Fraction, unit: str) -> str | None:
        ratio = value / self.units[unit]
        try:
            number = _EXACT.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
        except Inexact:
            return None
        number = number.normalize(_EXACT)
        text = f"{number:f}" if -7 < number.adjusted() < 19 else str(number).lower()
        return f"{text} {unit}"

    def _unknown_unit(self, given: object, number: str, unit: str) -> str:
        capitals = tuple(name for name in self.units if name.lower() == unit.lower())
        meant = self.refused.get(unit) or capitals
        if meant:
            return f"{_named(given)}: unknown unit {unit!r}; write {self._with_unit(number, meant)}"
        return f"{_named(given)}: unknown unit {unit!r}; known: {', '.join(self.units)}"

    @staticmethod
    def _with_unit(number: str, units: tuple[str, ...]) -> str:
        return " or ".join(f"'{number} {unit}'" for unit in units)


def _plain(given: object) -> str:
    """``given`` as it stood in the file; nothing that could be read if it was no number or text."""
    if isinstance(given, str):
        return given
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        return ""
    text = repr(given)
    return text.removesuffix(".0")


def _named(given: object) -> str:
    return quoted(_plain(given).strip())
