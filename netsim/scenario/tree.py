"""Plain data that remembers where everything stood in its file."""

from dataclasses import dataclass
from typing import Any

from netsim.scenario.errors import Loc, Problem

Point = tuple[int, int]
"""Line and column, both from 1."""


@dataclass(frozen=True)
class Place:
    """Where a value stands, and the key that names it (None in lists and at the root)."""

    key: Point | None
    value: Point


@dataclass(frozen=True)
class Tree:
    """The data of a file, the place of every value, and the faults that left it readable."""

    data: dict[str, Any]
    places: dict[Loc, Place]
    faults: tuple[Problem, ...]

    def point(self, loc: Loc, *, at_key: bool = False) -> Point:
        """The line and column of a value or its key; of the nearest one around it if absent."""
        place = self.places[()]
        known: Loc = ()
        for step in loc:
            found = next(
                (p for p in ((*known, step), (*known, str(step))) if p in self.places), None
            )
            if found is None:
                break
            known, place = found, self.places[found]
        return place.key if at_key and place.key else place.value
