"""Rows as CSV and JSON."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Published:
    """A row that can be written out."""

    def published(self) -> dict[str, Any]:
        """Its columns, JSON values only; without ``broken``, which the verdict says."""
        values = asdict(self)
        values.pop("broken", None)
        return values


def as_json(rows: Sequence[Published]) -> str:
    """``{"rows": […]}`` with an end of line."""
    content = {"rows": [row.published() for row in rows]}
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(rows: Sequence[Published]) -> str:
    """A line of names and a line a row; nothing where there is no figure."""
    values = [row.published() for row in rows]
    file = io.StringIO()
    writer = csv.DictWriter(file, list(values[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(values)
    return file.getvalue()
