"""What a result folder says about why its rounds took their time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from netsim.results.errors import ResultsError, check_folder
from netsim.results.explanation import Bottleneck, Explanation, path_from_json
from netsim.results.folder import is_result
from netsim.results.ranking import BusyLink, slowest

_FILES = ("summary.json", "rounds.parquet", "links.parquet")
_MOST_LINKS = 5


@dataclass(frozen=True)
class ExplainedRound:
    """A round of a run, why it took its time, and its busiest links.

    ``rounds`` is how many rounds the run has; ``slowest`` says that none took longer.
    """

    run: str
    rounds: int
    round: int
    start_s: float
    end_s: float
    slowest: bool
    why: Explanation
    links: tuple[BusyLink, ...]


def read_rounds(folder: Path, round: int | None, run: str | None) -> list[ExplainedRound]:
    """The explanation of a round, the slowest by default, of every run or of one.

    Runs that have no such round are left out.

    Raises:
        ResultsError: there is no such folder, run or round; the folder is no netsim result, or
            an old or damaged one; no round was completed.
    """
    check_folder(folder)
    if not is_result(folder):
        study = (
            f"; of a study name a cell, {folder}/cells/ID" if (folder / "cells").is_dir() else ""
        )
        raise ResultsError(f"{folder} is no netsim result{study}")
    if not all((folder / name).is_file() for name in _FILES):
        raise ResultsError(f"{folder} does not say why rounds took their time; run it again")
    chosen = _chosen(folder, run)
    found = [_Run(folder, label).explained(round) for label in chosen]
    told = [each for each in found if each is not None]
    if not told:
        raise ResultsError(_no_round(folder, chosen, round))
    return told


def _chosen(folder: Path, run: str | None) -> list[str]:
    """The labels of the runs asked for."""
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        labels: list[str] = [each["label"] for each in summary["runs"]]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ResultsError(f"{folder / 'summary.json'} cannot be read: {error!r}") from error
    if run is None:
        return labels
    if run not in labels:
        raise ResultsError(f"no run '{run}'; there are {', '.join(map(repr, labels))}")
    return [run]


def _no_round(folder: Path, runs: Sequence[str], round: int | None) -> str:
    last = max((_Run(folder, label).last for label in runs), default=-1)
    if last < 0:
        return f"{folder}: no round was completed"
    return f"no round {round}; there are rounds 0 to {last}"


class _Run:
    """One run in the files of a result."""

    def __init__(self, folder: Path, label: str) -> None:
        self._folder = folder
        self._label = label
        self._spans = self._rows("rounds", "round, start_s, end_s", "ORDER BY round")

    @property
    def last(self) -> int:
        """The number of the last round, −1 without rounds."""
        return int(self._spans[-1][0]) if self._spans else -1

    def explained(self, round: int | None) -> ExplainedRound | None:
        """This round or the slowest; None if there is none."""
        at = slowest([end_s - start_s for _, start_s, end_s in self._spans])
        longest = None if at is None else int(self._spans[at][0])
        spans = {number: (start_s, end_s) for number, start_s, end_s in self._spans}
        number = longest if round is None else round
        if number is None or number not in spans:
            return None
        why, links = self._why(number), self._links(number)
        return ExplainedRound(
            self._label, len(spans), number, *spans[number], number == longest, why, links
        )

    def _why(self, round: int) -> Explanation:
        columns = "critical_path, bottleneck_link, bottleneck_utilisation, bottleneck_s"
        ((path, *bottleneck),) = self._rows("rounds", columns, "AND round = ?", round)
        return Explanation(
            () if path is None else path_from_json(path),
            None if bottleneck[0] is None else Bottleneck(*bottleneck),
        )

    def _links(self, round: int) -> tuple[BusyLink, ...]:
        rows = self._rows(
            "links",
            "link, bits, utilisation",
            f"""AND round = ? AND utilisation IS NOT NULL
            ORDER BY round(utilisation, 9) DESC, file_row_number LIMIT {_MOST_LINKS}""",
            round,
        )
        return tuple(BusyLink(*row) for row in rows)

    def _rows(self, file: str, columns: str, rest: str, *values: int) -> list[tuple[Any, ...]]:
        """Columns of the run's rows in one of the files."""
        import duckdb

        path = self._folder / f"{file}.parquet"
        table = "read_parquet(?, file_row_number = true)"
        query = f"SELECT {columns} FROM {table} WHERE run = ? {rest}"
        try:
            with duckdb.connect(config={"threads": 1}) as connection:
                return connection.execute(query, [str(path), self._label, *values]).fetchall()
        except duckdb.Error as error:
            raise ResultsError(f"{path} cannot be read: {error}") from error
