"""From the file of a study to its cells."""

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

from pydantic import Field
from pydantic_core import to_jsonable_python

from netsim.kernel.streams import Streams
from netsim.scenario.config import Config
from netsim.scenario.document import Document
from netsim.scenario.errors import Loc, Problem, ScenarioError
from netsim.scenario.tree import Place
from netsim.studies.scenario import SWEEP, Scenario, read
from netsim.studies.sweep.blame import Refusals
from netsim.studies.sweep.cell import Cell, Value, cell_id, training_key
from netsim.studies.sweep.combine import Choice, Setting, combinations, count
from netsim.studies.sweep.config import Sweep
from netsim.studies.sweep.labels import Labels
from netsim.studies.sweep.paths import NoSuchPlace, Path, put, value_at

MOST = 10_000
"""Cells that are run without being asked for twice."""


@dataclass(frozen=True)
class Study:
    """The cells of a file, each once, and the paths of the fields that were swept.

    ``choices`` are the values that each cell was made with, by its ID.
    """

    name: str
    paths: tuple[str, ...]
    cells: tuple[Cell, ...]
    document: Document
    choices: Mapping[str, Choice]

    def place(self, cell: str, loc: Loc) -> str:
        """Where the value at ``loc`` of the cell's scenario stands: file, line and column."""
        single, _ = _with(self.document, self.choices[cell])
        line, column = single.tree.point(loc)
        return f"{self.document.name}:{line}:{column}"


class _Head(Config, extra="ignore"):
    """The parts of a study that can be read before any cell."""

    sweep: Sweep
    seed: int = Field(default=0, ge=0)


def read_study(path: FilePath, many: bool = False) -> Study:
    """The study in a file; ``many``: also one of more than `MOST` cells.

    Raises `ScenarioError` with all that is wrong with it or with any of its cells.
    """
    document = Document.load(path)
    if SWEEP not in document.data:
        raise ScenarioError([Problem((), f"no sweep; write 'netsim run {path}'", str(path), 1, 1)])
    head = document.parse(_Head, lambda head: (((SWEEP, *a), b) for a, b in head.sweep.problems()))
    _check_count(document, count(head.sweep), many)
    scenarios = _scenarios(document, [*combinations(head.sweep, Streams(head.seed))])
    paths = dict.fromkeys(setting.path for choice, _ in scenarios for setting in choice)
    cells, choices = _cells(scenarios, [*paths])
    return Study(scenarios[0][1].name, tuple(map(".".join, paths)), cells, document, choices)


def _check_count(document: Document, combined: int, many: bool) -> None:
    runs = document.data.get("runs")
    cells = combined * (len(runs) if isinstance(runs, list) else 1)
    if cells > MOST and not many:
        text = f"{cells:,} cells; write --yes to run more than {MOST:,}"
        document.check([((SWEEP,), text)])


def _scenarios(document: Document, choices: list[Choice]) -> list[tuple[Choice, Scenario]]:
    """The scenario of each combination; raises `ScenarioError` unless all are valid."""
    found: list[tuple[Choice, Scenario]] = []
    refusals = Refusals(document)
    for choice in choices:
        single, nowhere = _with(document, choice)
        refusals.add(choice, nowhere)
        try:
            scenario = read(single)
        except ScenarioError as error:
            refusals.add(choice, error.problems)
        else:
            found.append((choice, scenario))
    refusals.check(choices)
    return found


def _with(document: Document, choice: Choice) -> tuple[Document, list[Problem]]:
    """The document of one combination, and which settings have no place in it.

    What is wrong with a value that was set is told where the sweep says so.
    """
    data = {key: deepcopy(value) for key, value in document.data.items() if key != SWEEP}
    places, nowhere = dict(document.tree.places), []
    for setting in choice:
        try:
            loc = put(data, setting.path, deepcopy(setting.value))
        except NoSuchPlace as error:
            point = document.tree.point(setting.key, at_key=True)
            nowhere.append(Problem(setting.path, str(error), document.name, *point))
        else:
            _move(places, setting, loc)
    return Document(document.name, replace(document.tree, data=data, places=places)), nowhere


def _move(places: dict[Loc, Place], setting: Setting, loc: Loc) -> None:
    """Let ``loc`` and all in it stand where the setting does."""
    for stale in [each for each in places if each[: len(loc)] == loc]:
        del places[stale]
    key, value = places[setting.key], places.get(setting.where, places[setting.key])
    for end in range(1, len(loc)):
        places.setdefault(loc[:end], Place(key.key, value.value))
    depth = len(setting.where)
    inside = {at[depth:]: place for at, place in places.items() if at[:depth] == setting.where}
    places.update({(*loc, *at): place for at, place in inside.items()})
    places[loc] = Place(key.key, value.value)


def _cells(
    scenarios: Sequence[tuple[Choice, Scenario]], paths: Sequence[Path]
) -> tuple[tuple[Cell, ...], Mapping[str, Choice]]:
    """Each cell once, and a choice that makes it."""
    cells: dict[str, Cell] = {}
    choices: dict[str, Choice] = {}
    labels = Labels((run, each.network.nodes) for _, each in scenarios for run in each.runs)
    for choice, scenario in scenarios:
        for at, run in enumerate(scenario.runs):
            single = scenario.model_copy(update={"runs": (run,)})
            values = {".".join(p): _plain(value_at(scenario, p)) for p in _own(paths, at)}
            label = labels.of(run, scenario.network.nodes)
            cell = Cell(single, label, values, cell_id(single), training_key(single))
            known = cells.get(cell.id)
            cells[cell.id] = cell if known is None else _merged(known, cell)
            choices.setdefault(cell.id, choice)
    return tuple(cells.values()), choices


def _merged(known: Cell, cell: Cell) -> Cell:
    """A cell that came up twice, with the fields of both; a name that was given is kept."""
    first = min(known, cell, key=lambda each: (each.run.label is None, each.label))
    return replace(first, values={**cell.values, **known.values})


def _own(paths: Iterable[Path], at: int) -> list[Path]:
    """The paths that matter to the run at this place; what it is, its label says."""
    return [path for path in paths if path[0] != "runs" or path[1:2] == (str(at),)]


def _plain(value: Any) -> Value:
    """A value as a table holds it: numbers in base units, sections as text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return float(value) if isinstance(value, float) else int(value)
    return json.dumps(to_jsonable_python(value, by_alias=True), ensure_ascii=False)
