"""Studies of whole trainings: run, and read back as curves of accuracy."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from netsim.studies.sweep.jobs import Settings
from netsim.studies.sweep.local import LocalWorkers
from netsim.studies.sweep.plan import read_study
from netsim.studies.sweep.sweep import run_study

SCENARIOS = Path(__file__).parents[2] / "scenarios" / "papers"


class Tested(NamedTuple):
    """What models were worth after so many rounds."""

    played: int
    accuracy: float
    validation_loss: float | None


@dataclass(frozen=True)
class Trained:
    """One training of a study; ``values`` are the swept fields by their paths."""

    label: str
    seed: int
    values: Mapping[str, Any]
    curve: Sequence[Tested]

    def at(self, cap: int) -> Tested:
        """The last test in the first ``cap`` rounds."""
        return [tested for tested in self.curve if tested.played <= cap][-1]

    @property
    def best(self) -> Tested:
        """The test of greatest accuracy, the first of equals."""
        return max(self.curve, key=lambda tested: tested.accuracy)

    @property
    def converged(self) -> int:
        """The rounds after which the validation loss was least."""
        losses = {t.validation_loss: t.played for t in reversed(self.curve)}
        return losses[min(loss for loss in losses if loss is not None)]


def run(name: str, out: Path, jobs: int) -> list[Trained]:
    """Run what ``out`` does not hold yet of a study of scenarios/papers, and read it back.

    A training that diverged counts as far as it came, and is told of on stderr.  Raises SystemExit
    if a cell has no result.
    """
    study = read_study(SCENARIOS / f"{name}.yaml")
    ending = run_study(study, out, Settings(None, 60.0), LocalWorkers(jobs), jobs)
    for reason in ending.failures():
        print(f"{name}: {reason}", file=sys.stderr)
    trained = read(out)
    if len(trained) < len(study.cells):
        raise SystemExit(f"{name} has {len(trained)} of {len(study.cells)} cells; run it again")
    return trained


def read(out: Path) -> list[Trained]:
    """The trainings of a study's folder that are complete, in the order of its cells."""
    cells = json.loads((out / "study.json").read_text("utf-8"))["cells"]
    return [
        Trained(cell["label"], cell["seed"], cell["values"], _curve(path))
        for cell in cells
        if (path := out / "cells" / cell["id"] / "rounds.parquet").exists()
    ]


def _curve(path: Path) -> list[Tested]:
    query = (
        "SELECT round + 1, accuracy, validation_loss FROM read_parquet(?) "
        "WHERE accuracy IS NOT NULL ORDER BY round"
    )
    return [Tested(*row) for row in duckdb.execute(query, [str(path)]).fetchall()]


def scores(
    trained: Iterable[Trained], path: str, score: Callable[[Trained], float]
) -> dict[tuple[Any, str], list[float]]:
    """The trainings' scores in percent, one a seed, by value of the swept ``path`` and label.

    The value of a section is its kind.
    """
    found: dict[tuple[Any, str], list[float]] = {}
    for each in trained:
        value = each.values[path]
        place = json.loads(value)["kind"] if isinstance(value, str) else value
        found.setdefault((place, each.label), []).append(100 * score(each))
    return found


def capped(trained: Iterable[Trained], by: str) -> dict[tuple[Any, str], list[float]]:
    """Accuracies in percent at the round in which run ``by`` of the same seed converged.

    By value of the one swept field beside the seed, and label. Source: ERIS v1, Section E.1,
    whose cap for all methods is the round of FedAvg's least validation loss.
    """
    every = list(trained)
    caps = {_place(each): each.converged for each in every if each.label == by}
    found: dict[tuple[Any, str], list[float]] = {}
    for each in every:
        if _place(each) in caps:
            value, _ = place = _place(each)
            found.setdefault((value, each.label), []).append(100 * each.at(caps[place]).accuracy)
    return found


def _place(trained: Trained) -> tuple[Any, int]:
    (value,) = (value for path, value in trained.values.items() if path != "seed")
    return value, trained.seed
