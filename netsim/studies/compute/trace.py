"""Times of the clients from a file, round by round."""

import csv
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Literal, final

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.scenario.errors import Finding
from netsim.studies.compute.base import Compute, Timer

_HEADER = ["node", "round", "time_s"]

Row = tuple[int, int, float]
"""From this round on the node needs so many seconds."""


class TimesError(ValueError):
    """A file of times that cannot be used; names the file and the line."""


@final
class Trace(Compute):
    """Times from ``file``, a CSV with the header ``node,round,time_s``.

    A line says how long the training of a node takes from this round on: for each gradient of
    one sample (``per: sample``) or for the round as a whole (``per: round``).  Nodes and rounds
    count from 0, and each node has a line for round 0.  The file is looked for relative to the
    working directory.
    """

    kind: Literal["trace"] = "trace"
    file: Path
    per: Literal["sample", "round"] = "sample"

    def timer(self, clients: int, class_K: Sequence[str], streams: Streams) -> Timer:
        """As in the base class; raises `TimesError`."""
        rows = read_times(self.file, clients)
        steps = [sorted((row[1], row[2]) for row in rows if row[0] == k) for k in range(clients)]

        def seconds(client: int, round: int, samples: int) -> float:
            at = bisect_right(steps[client], (round, float("inf"))) - 1
            time_s = steps[client][at][1]
            return time_s * samples if self.per == "sample" else time_s

        return seconds

    def problems(self, network: NetworkConfig) -> Iterator[Finding]:
        """As in the base class."""
        try:
            read_times(self.file, network.nodes)
        except TimesError as error:
            yield ("file",), str(error)


def read_times(path: Path, clients: int) -> list[Row]:
    """The lines of a file of times; raises `TimesError`."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
    except OSError as error:
        raise TimesError(f"{path}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise TimesError(f"{path}: is no CSV file: {error}") from error
    if lines[:1] != [_HEADER]:
        raise TimesError(f"{path}:1: the first line must be {','.join(_HEADER)}")
    rows = [_row(path, number, line, clients) for number, line in enumerate(lines[1:], 2)]
    missing = set(range(clients)) - {node for node, round, _ in rows if round == 0}
    if missing:
        raise TimesError(f"{path}: no time from round 0 on for node {min(missing)}")
    if len({row[:2] for row in rows}) < len(rows):
        raise TimesError(f"{path}: two times for one node and round")
    return rows


def _row(path: Path, number: int, line: list[str], clients: int) -> Row:
    try:
        node, round, time_s = int(line[0]), int(line[1]), float(line[2])
    except (ValueError, IndexError) as error:
        raise TimesError(f"{path}:{number}: expected node,round,time_s") from error
    if not 0 <= node < clients or round < 0:
        text = f"nodes are 0 to {clients - 1} and rounds from 0 on"
        raise TimesError(f"{path}:{number}: {text}")
    if not isfinite(time_s) or time_s < 0:
        raise TimesError(f"{path}:{number}: a time is a number of seconds from 0 on")
    return node, round, time_s
