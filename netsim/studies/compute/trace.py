"""Times of the clients from a file, round by round."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, final

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.scenario.csv_file import CsvError, read_csv, seconds, whole
from netsim.scenario.errors import Finding
from netsim.studies.compute.base import Compute, Timer

Row = tuple[int, int, float]
"""From this round on the node needs so many seconds."""


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
        """As in the base class; raises `CsvError`."""
        rows = read_times(self.file, clients)
        steps = [sorted((row[1], row[2]) for row in rows if row[0] == k) for k in range(clients)]

        def taken_s(client: int, round: int, samples: int) -> float:
            at = bisect_right(steps[client], (round, float("inf"))) - 1
            time_s = steps[client][at][1]
            return time_s * samples if self.per == "sample" else time_s

        return taken_s

    def problems(self, network: NetworkConfig) -> Iterator[Finding]:
        """As in the base class."""
        try:
            read_times(self.file, network.nodes)
        except CsvError as error:
            yield from ((("file",), fault) for fault in error.faults)


def read_times(path: Path, clients: int) -> list[Row]:
    """The lines of a file of times; raises `CsvError`."""

    def row(cells: list[str]) -> Row:
        node, round = whole("node", cells[0], clients - 1), whole("round", cells[1])
        return node, round, seconds("time_s", cells[2])

    rows = [row for _, row in read_csv(path, ("node", "round", "time_s"), row)]
    missing = set(range(clients)) - {node for node, round, _ in rows if round == 0}
    if missing:
        raise CsvError(path, [f": no time from round 0 on for node {min(missing)}"])
    if len({row[:2] for row in rows}) < len(rows):
        raise CsvError(path, [": two times for one node and round"])
    return rows
