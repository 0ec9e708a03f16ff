"""The files of a result or of a study as tables of DuckDB."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from netsim.results.errors import ResultsError, check_folder
from netsim.results.folder import is_result
from netsim.studies.sweep.store import STUDY
from netsim.studies.sweep.tables import TABLE

if TYPE_CHECKING:
    import duckdb

_PARTS = ("rounds", "transfers", "links", "nodes")


@contextmanager
def connect(folder: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A database in memory that looks into ``folder``.

    A study has the table ``cells``, and ``rounds``, ``transfers``, ``links`` and ``nodes`` of all
    cells with the id of each in ``cell``; a result has these four.  Raises ``ResultsError`` for a
    folder that is neither.
    """
    import duckdb

    views = _views(folder)
    with duckdb.connect(config={"threads": 1}) as connection:
        for name, query in views.items():
            connection.execute(f"CREATE VIEW {name} AS {query}")
        yield connection


def _views(folder: Path) -> dict[str, str]:
    check_folder(folder)
    if (folder / TABLE).is_file():
        cells = {"cells": f"SELECT * FROM read_parquet({_text(folder / TABLE)})"}
        parts = {part: [*folder.glob(f"cells/*/{part}.parquet")] for part in _PARTS}
        return cells | {part: _of_cells(folder, part) for part in _PARTS if parts[part]}
    if (folder / STUDY).is_file():
        raise ResultsError(f"{folder} has no {TABLE} yet; run its 'netsim sweep' to the end")
    if not is_result(folder):
        raise ResultsError(f"{folder} holds neither a result nor a study")
    files = {part: folder / f"{part}.parquet" for part in _PARTS}
    return {
        part: f"SELECT * FROM read_parquet({_text(file)})"
        for part, file in files.items()
        if file.is_file()
    }


def _of_cells(folder: Path, part: str) -> str:
    """The rows of all cells: roles, and so columns, may differ between them."""
    files = _text(folder / "cells" / "*" / f"{part}.parquet")
    return f"""SELECT parse_path(filename)[-2] AS cell, * EXCLUDE (filename)
        FROM read_parquet({files}, filename = true, union_by_name = true)"""


def question_error(error: "duckdb.Error", connection: "duckdb.DuckDBPyConnection") -> ResultsError:
    """What DuckDB says of a question, in one line, without the copy of the question."""
    said = " ".join(str(error).split("\nLINE ")[0].split())
    lost = re.match(r"Catalog Error: Table with name (\S+) does not exist", said)
    if lost:
        tables = [name for (name,) in connection.execute("SHOW TABLES").fetchall()]
        return ResultsError(f"no table {lost[1]}; there are {', '.join(tables)}")
    return ResultsError(said or "DuckDB refuses it")


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
