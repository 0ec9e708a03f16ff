"""CSV files that a scenario names: read strictly, all that is wrong told by its line."""

import csv
import re
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import TypeVar

from netsim.scenario.unreadable import unreadable

T = TypeVar("T")

_WHOLE = re.compile(r"[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MOST_FAULTS = 10


class CsvError(ValueError):
    """A CSV file that cannot be used; ``faults`` holds one message a fault, ten at most."""

    def __init__(self, path: Path, faults: Sequence[str]) -> None:
        more = [f": and {len(faults) - _MOST_FAULTS} more faults"]
        told = [*faults[:_MOST_FAULTS], *(more if len(faults) > _MOST_FAULTS else [])]
        self.faults = [f"{path}{fault}" for fault in told]
        super().__init__("\n".join(self.faults))


def read_csv(
    path: Path, header: Sequence[str], read: Callable[[list[str]], T]
) -> list[tuple[int, T]]:
    """What ``read`` makes of the cells of each line below the ``header``, with its number.

    ``read`` raises ValueError with what is wrong with a line.  Empty lines are left out, spaces
    around a cell and a byte order mark do not count.  Raises CsvError.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except OSError as error:
        raise CsvError(path, [f": {unreadable(path, error)}"]) from error
    except (ValueError, csv.Error) as error:
        raise CsvError(path, [f": is no CSV file: {error}"]) from error
    if not rows or rows[0][1] != list(header):
        raise CsvError(path, [f":1: the first line must be {','.join(header)}"])
    items: list[tuple[int, T]] = []
    faults: list[str] = []
    for line, cells in rows[1:]:
        if not any(cells):
            continue
        try:
            if len(cells) != len(header):
                raise ValueError(f"has {len(cells)} values, not {','.join(header)}")
            items.append((line, read(cells)))
        except ValueError as error:
            faults.append(f":{line}: {error}")
    if faults:
        raise CsvError(path, faults)
    return items


def seconds(name: str, text: str) -> float:
    """A finite number of seconds from 0 on, in the column ``name``; raises ValueError."""
    time_s = float(text) if _NUMBER.fullmatch(text) else -1.0
    if not 0 <= time_s < inf:
        raise ValueError(f"{name} must be a number of seconds from 0 on, not '{text}'")
    return time_s


def whole(name: str, text: str, most: int | None = None) -> int:
    """A whole number from 0 to ``most``, in the column ``name``; raises ValueError."""
    number = int(text) if _WHOLE.fullmatch(text) else -1
    if number < 0 or (most is not None and number > most):
        range_ = "0 on" if most is None else f"0 to {most}"
        raise ValueError(f"{name} must be a whole number from {range_}, not '{text}'")
    return number
