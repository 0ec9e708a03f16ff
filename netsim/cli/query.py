"""``netsim query``."""

import csv as csvlib
import json as jsonlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from netsim.cli.errors import refuse


def query(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A study or a result.")],
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A question, in DuckDB's SQL.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON, a list of objects.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Ask a study or a result in SQL.

    A study has the tables cells, rounds, transfers, links and nodes; all but the first say in the
    column cell whose they are.  A result has all but cells.
    """
    from netsim.results.errors import ResultsError
    from netsim.studies.survey.query import answer

    if json and csv:
        refuse("write --json or --csv, not both")
    try:
        columns, rows = answer(folder, sql)
    except ResultsError as error:
        refuse(error)
    if json:
        objects = [dict(zip(columns, row, strict=True)) for row in rows]
        typer.echo(jsonlib.dumps(objects, ensure_ascii=False, default=str, allow_nan=False))
    elif csv:
        csvlib.writer(sys.stdout, lineterminator="\n").writerows([columns, *rows])
    else:
        _show(columns, rows)


def _show(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Columns of equal width; numbers to the right."""
    texts = [list(columns), *([_text(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    right = [all(not isinstance(row[at], str) for row in rows) for at in range(len(columns))]
    texts.insert(1, ["-" * width for width in widths])
    for row in texts:
        parts = zip(row, widths, right, strict=True)
        cells = [cell.rjust(width) if end else cell.ljust(width) for cell, width, end in parts]
        typer.echo("  ".join(cells).rstrip())


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
