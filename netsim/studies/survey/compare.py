"""What differs between two studies."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from netsim.results.compare import Difference
from netsim.studies.survey.query import answer

_ASIDE = ("id", "status")
"""Whether a cell was trained or timed is nothing that its result shows."""


def compare_studies(one: Path, other: Path) -> list[Difference]:
    """Cells that only one of them has, and cells with the same settings and another outcome.

    Raises ``ResultsError`` for a folder that is no study.
    """
    return list(_differences(_cells(one), _cells(other)))


def _cells(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    columns, rows = answer(folder, "SELECT * FROM cells ORDER BY id")
    return {row["id"]: row for row in (dict(zip(columns, r, strict=True)) for r in rows)}


def _differences(
    one: Mapping[str, Mapping[str, Any]], other: Mapping[str, Mapping[str, Any]]
) -> Iterator[Difference]:
    for id in dict.fromkeys((*one, *other)):
        row = one.get(id) or other[id]
        where = f"cell {id} ({row['label']}, seed {row['seed']})"
        if id not in one or id not in other:
            has = ["there" if id in each else "missing" for each in (one, other)]
            yield Difference(where, *has)
            continue
        for name, mine in one[id].items():
            theirs = other[id].get(name)
            if name not in _ASIDE and mine != theirs:
                yield Difference(f"{where} {name}", str(mine), str(theirs))
