"""The table of a study, read back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from netsim.results.errors import ResultsError, check_folder
from netsim.scenario.suggest import unknown
from netsim.studies.survey.database import connect, question_error
from netsim.studies.sweep.store import STUDY
from netsim.studies.sweep.tables import TABLE

Row = Mapping[str, Any]
_ENDINGS = ("", "_s", "_bytes")


@dataclass(frozen=True)
class StudyTable:
    """The cells that have a result.

    ``paths`` are the swept fields in the order of the file and ``units`` what their numbers are
    in, None for plain ones.  ``rows`` holds a mapping a cell: what ``study.parquet`` has.
    """

    name: str
    paths: tuple[str, ...]
    units: Mapping[str, str | None]
    columns: tuple[str, ...]
    rows: Sequence[Row]

    def column(self, name: str) -> str:
        """The full name of a column: ``distribution_time`` may be written for ``…_s``.

        Raises ``ResultsError`` for a name that is none.
        """
        for ending in _ENDINGS:
            if name + ending in self.columns:
                return name + ending
        raise ResultsError(unknown("column", name, self.columns))

    def numbers(self, path: str) -> list[float]:
        """The different numbers of a column, ascending; empty where it holds anything else."""
        values = {row[path] for row in self.rows} - {None}
        plain = all(isinstance(each, int | float) and not isinstance(each, bool) for each in values)
        return sorted(values) if plain else []


def is_study(folder: Path) -> bool:
    """Whether a study stands in this folder."""
    return (folder / STUDY).is_file()


def read_table(folder: Path, where: str | None = None) -> StudyTable:
    """The cells of a study that did not fail; ``where``: a condition in SQL on its columns.

    Raises ``ResultsError`` for a folder without a study, or a condition that cannot be read.
    """
    import duckdb

    head = _head(folder)
    condition = f" AND ({where})" if where else ""
    query = f"SELECT * FROM cells WHERE status <> 'failed'{condition}"
    with connect(folder) as connection:
        try:
            found = connection.execute(query)
            columns = tuple(name for name, *_ in found.description or ())
            rows = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
        except duckdb.Error as error:
            raise question_error(error, connection) from error
    if not rows:
        raise ResultsError(f"{folder}: no cell has a result" + (" there" if where else ""))
    return StudyTable(head["name"], tuple(head["paths"]), head["units"], columns, rows)


def _head(folder: Path) -> Mapping[str, Any]:
    check_folder(folder)
    if not is_study(folder):
        raise ResultsError(f"{folder} is no study; 'netsim sweep' makes one")
    if not (folder / TABLE).is_file():
        raise ResultsError(f"{folder} has no {TABLE} yet; run its 'netsim sweep' to the end")
    try:
        head: Mapping[str, Any] = json.loads((folder / STUDY).read_text("utf-8"))
    except ValueError as error:
        raise ResultsError(f"{folder / STUDY} cannot be read: {error}") from error
    return head
