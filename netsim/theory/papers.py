"""The papers' printed figures of communication volume and distribution time.

``papers.csv`` beside this file holds them as facts: ERIS, first version, Tables 2 and 4; second
version, Tables 3 to 5; the speed-ups in the text of both; Shatter, Section 5.3, whose d + 2dr
and dr are written out for two degrees.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

_UNITS: Final[Mapping[str, float]] = {"GB": 1e3, "MB": 1.0, "KB": 1e-3, "s": 1.0, "x": 1.0}
_SLACK: Final = 1e-6


@dataclass(frozen=True)
class Figure:
    """A figure as a paper prints it, for one client and one round.

    ``quantity`` is ``upload_MB``, ``download_MB``, ``total_MB`` (MB = 10⁶ bytes), ``time_s`` or
    ``speedup``; ``printed`` the digits, ``unit`` the printed one.
    """

    source: str
    setting: str
    method: str
    quantity: str
    printed: str
    unit: str

    @property
    def value(self) -> float:
        """In the unit of the quantity."""
        return float(self.printed) * _UNITS[self.unit]

    def agrees(self, value: float) -> bool:
        """Whether ``value`` may be printed like this: within half of the last digit.

        >>> Figure("", "", "", "total_MB", "2.41", "GB").agrees(2412)
        True
        >>> Figure("", "", "", "time_s", "0.65", "s").agrees(0.643)
        False
        """
        digits = len(self.printed.partition(".")[2])
        half = 0.5 * 10.0**-digits * _UNITS[self.unit] * (1 + _SLACK)
        return abs(value - self.value) <= half


def figures() -> list[Figure]:
    """All of them, in the order of the papers.

    >>> figures()[1]
    Figure(source='eris_v1 table 2', setting='cnn_dailymail', method='fedavg', \
quantity='time_s', printed='5200', unit='s')
    """
    text = files("netsim.theory").joinpath("papers.csv").read_text(encoding="utf-8")
    return [Figure(**row) for row in csv.DictReader(text.splitlines())]
