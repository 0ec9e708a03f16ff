"""Tables in text files."""

import csv
from pathlib import Path
from typing import Literal

from netsim.learning.errors import DatasetCorrupt


def read_rows(
    path: Path, delimiter: str, encoding: str = "utf-8", quoted: bool = True
) -> list[list[str]]:
    """The columns of each line; raises DatasetCorrupt if the file is no such text."""
    try:
        with path.open(encoding=encoding, newline="") as file:
            quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
            return list(csv.reader(file, delimiter=delimiter, quoting=quoting))
    except (OSError, UnicodeError, csv.Error) as error:
        raise DatasetCorrupt(f"{path} cannot be read ({error}); fetch it again") from error
