"""The first row in which a table of two results differs."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from netsim.results.errors import ResultsError

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Table:
    """A file of a result: its rows are told apart, and put in order, by ``keys``; ``named`` are
    those that a reader needs to find a row."""

    name: str
    keys: tuple[str, ...]
    named: tuple[str, ...]


@dataclass(frozen=True)
class RowDifference:
    """``where`` a row differs, and what both have there."""

    where: str
    one: str
    other: str


def first_difference(table: Table, run: str, one: Path, other: Path) -> RowDifference | None:
    """The first row of a run that is not the same, and its first column that is not.

    Columns that only one of them has are passed over.  Raises ``ResultsError`` where a file
    cannot be read.
    """
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        try:
            columns = _open(connection, table, run, one, other)
            return _first(connection, table, columns)
        except duckdb.Error as error:
            raise ResultsError(f"{table.name}.parquet cannot be compared: {error}") from error


def _open(
    connection: "duckdb.DuckDBPyConnection", table: Table, run: str, one: Path, other: Path
) -> list[str]:
    """Put both runs beside each other as ``a`` and ``b``; the columns of both."""
    columns = []
    for name, folder in (("a", one), ("b", other)):
        connection.execute(
            f"CREATE TEMP TABLE {name} AS SELECT * FROM read_parquet(?) WHERE run = ?",
            [str(folder / f"{table.name}.parquet"), run],
        )
        described = connection.execute(f"SELECT * FROM {name} LIMIT 0").description
        columns.append([column for column, *_ in described or ()])
    return [column for column in columns[0] if column in columns[1]]


def _first(
    connection: "duckdb.DuckDBPyConnection", table: Table, columns: list[str]
) -> RowDifference | None:
    """Rows that only one of them has count as different."""
    pairs = ", ".join(f'a."{name}" AS "a_{name}", b."{name}" AS "b_{name}"' for name in columns)
    keys = ", ".join(table.keys)
    differs = " OR ".join(f'a."{name}" IS DISTINCT FROM b."{name}"' for name in columns)
    query = f"""SELECT {pairs} FROM a FULL JOIN b USING ({keys}) WHERE {differs}
        ORDER BY {", ".join(f"coalesce(a.{key}, b.{key})" for key in table.keys)}"""
    counted = connection.execute(f"SELECT count(*) FROM ({query})").fetchone()
    row = connection.execute(f"{query} LIMIT 1").fetchone()
    if row is None:
        return None
    assert counted is not None
    return _told(table, columns, row, counted[0])


def _told(table: Table, columns: list[str], row: tuple[Any, ...], count: int) -> RowDifference:
    one = dict(zip(columns, row[::2], strict=True))
    other = dict(zip(columns, row[1::2], strict=True))
    there = one if one[table.keys[0]] is not None else other
    place = ", ".join(f"{key} {there[key]}" for key in table.named)
    rows = f"{count} {table.name} differ, first {place}"
    if one[table.keys[0]] is None or other[table.keys[0]] is None:
        has = ["missing" if each[table.keys[0]] is None else "there" for each in (one, other)]
        return RowDifference(rows, *has)
    column = next(name for name in columns if one[name] != other[name])
    return RowDifference(f"{rows}, {column}", repr(one[column]), repr(other[column]))
