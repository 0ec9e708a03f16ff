"""The ``sweep:`` section of a study."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.studies.sweep.draws import Draws
from netsim.studies.sweep.paths import Path, paths_in

Values = Annotated[tuple[Any, ...], Field(min_length=1)]
Settings = Annotated[dict[str, Any], Field(min_length=1)]


class Sweep(Config):
    """Which fields of the scenario take which values.

    A field is named by its path, such as ``network.uplink`` or ``runs.1.aggregators`` (lists
    count from 0); ``network.uplink, network.downlink`` gives both the same value.  ``grid``:
    every value of every field with every other; ``zip``: the first values together, the second
    ones together, …; ``list``: each entry a mapping of fields to values; ``sobol``, ``latin``
    and ``random``: points drawn in a box, by the scenario's seed.  Of several of these all
    combinations are taken.
    """

    grid: dict[str, Values] = Field(default_factory=dict)
    zip_: dict[str, Values] = Field(default_factory=dict, alias="zip")
    list_: tuple[Settings, ...] = Field(default=(), alias="list")
    sobol: Draws | None = None
    latin: Draws | None = None
    random: Draws | None = None

    def draws(self) -> Iterator[tuple[str, Draws]]:
        """The draws there are, by name."""
        for name in ("sobol", "latin", "random"):
            given = getattr(self, name)
            if given is not None:
                yield name, given

    def problems(self) -> Iterator[Finding]:
        """What pydantic cannot see."""
        if not (self.grid or self.zip_ or self.list_ or any(self.draws())):
            yield (), "nothing is swept; write a grid such as {seed: [1, 2, 3]}"
        for key, values in self.grid.items():
            # As text: 1 client takes part, or all do, as 1.0 says.
            texts = [repr(value) for value in values]
            for place, text in enumerate(texts):
                if (same := texts.index(text)) < place:
                    yield ("grid", key, place), f"the same as value {same + 1}; leave it out"
        lengths = {key: len(values) for key, values in self.zip_.items()}
        for key, length in lengths.items():
            first, most = next(iter(lengths.items()))
            if length != most:
                yield (
                    ("zip", key),
                    f"{length} values beside the {most} of {first}; write as many",
                )
        for name, given in self.draws():
            yield from (((name, *loc), text) for loc, text in given.problems())
        yield from self._twice()

    def _twice(self) -> Iterator[Finding]:
        """Fields that stand in two places, or one inside of the other."""
        taken: list[Path] = []
        for loc, key in self._keys():
            fresh: list[Path] = []
            for path in paths_in(key):
                if not all(path) or path[0] == "sweep":
                    yield loc, f"{'.'.join(path)!r} is no path of a field, as network.uplink is"
                if path == ("name",):
                    yield loc, "cells that differ in 'name' alone are the same; sweep another field"
                for other in (*taken, *fresh):
                    if path[: len(other)] == other or other[: len(path)] == path:
                        yield loc, f"{'.'.join(path)} is swept twice ({'.'.join(other)})"
                fresh.append(path)
            taken += fresh

    def _keys(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        yield from ((("grid", key), key) for key in self.grid)
        yield from ((("zip", key), key) for key in self.zip_)
        listed = {key: at for at, each in reversed([*enumerate(self.list_)]) for key in each}
        yield from ((("list", at, key), key) for key, at in listed.items())
        for name, given in self.draws():
            yield from (((name, "over", key), key) for key in given.over)
