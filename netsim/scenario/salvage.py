"""What is left of a file's data without the items of lists that are at fault."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from netsim.scenario.errors import Loc


@dataclass(frozen=True)
class Salvage:
    """The remaining data; ``kept`` holds, for each list that lost items, their old positions."""

    data: dict[str, Any]
    kept: dict[Loc, list[int]]

    def original(self, loc: Loc) -> Loc | None:
        """The old place of a remaining item or of what is in it; None for other places."""
        for around, positions in self.kept.items():
            step = loc[len(around)] if len(loc) > len(around) else None
            if loc[: len(around)] == around and isinstance(step, int):
                return (*around, positions[step], *loc[len(around) + 1 :])
        return None


def salvage(data: dict[str, Any], faulty: Iterable[Loc]) -> Salvage | None:
    """``data`` without the list items that ``faulty`` places are in; None if one is in no list."""
    dropped: dict[Loc, set[int]] = {}
    for loc in faulty:
        at = next((i for i, step in enumerate(loc) if isinstance(step, int)), None)
        if at is None:
            return None
        dropped.setdefault(loc[:at], set()).add(int(loc[at]))
    kept: dict[Loc, list[int]] = {}
    return Salvage(_without(data, (), dropped, kept), kept)


def _without(part: Any, loc: Loc, dropped: dict[Loc, set[int]], kept: dict[Loc, list[int]]) -> Any:
    if isinstance(part, dict):
        return {k: _without(v, (*loc, k), dropped, kept) for k, v in part.items()}
    if isinstance(part, list) and loc in dropped:
        kept[loc] = [i for i in range(len(part)) if i not in dropped[loc]]
        return [part[i] for i in kept[loc]]
    return part
