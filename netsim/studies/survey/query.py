"""A question in SQL to a study or a result."""

import math
from pathlib import Path
from typing import Any

from netsim.results.errors import ResultsError
from netsim.studies.survey.database import connect, question_error


def answer(folder: Path, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The names of the columns and the rows; a number that is none becomes None.

    Raises ``ResultsError`` for a folder that holds neither, and for a question that is none.
    """
    import duckdb

    with connect(folder) as connection:
        try:
            if len(connection.extract_statements(sql)) != 1:
                raise ResultsError("write one question: SELECT ...")
            found = connection.execute(sql)
            columns = [name for name, *_ in found.description or ()]
            rows = found.fetchall()
        except duckdb.Error as error:
            raise question_error(error, connection) from error
    if not columns:
        raise ResultsError("write a question that has an answer: SELECT ...")
    return columns, [tuple(map(_finite, row)) for row in rows]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
