"""What cannot be carried now, and what will never come."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.network.failures import DeadlineMissed, LinkDown, NodeDown, TransferFailed
from netsim.network.faults.attendance import Attendance
from netsim.network.faults.config import Failures, LinksPerRound
from netsim.network.faults.draws import pairs_down
from netsim.network.table import MessageTable
from netsim.network.topology import Int64, Topology

Why = tuple[type[TransferFailed], str]
Bool = npt.NDArray[np.bool_]


class Guard:
    """Applies a scenario's failures to the messages of a network.  Shape: H hosts.

    ``down_H`` are the hosts whose access link is out at the moment.
    """

    def __init__(
        self, failures: Failures, topology: Topology, attendance: Attendance, streams: Streams
    ) -> None:
        self.failures = failures
        self.attendance = attendance
        self.down_H = np.zeros(len(topology.uplink_bps_H), bool)
        self._topology = topology
        self._streams = streams

    def refusals(self, table: MessageTable, rows: Int64) -> Iterator[tuple[Int64, Why]]:
        """Rows that cannot be carried, and why; a row may come up more than once."""
        kinds = table.kinds
        for round, kind in {
            *zip(table.round[rows].tolist(), table.kind[rows].tolist(), strict=True)
        }:
            some = rows[(table.round[rows] == round) & (table.kind[rows] == kind)]
            yield from self._absent(table, some, round, kinds[kind])
            if self.attendance.closed(round, kinds[kind]):
                yield some, (DeadlineMissed, "sent after the deadline")
            yield from self._cut(table, some, round)

    def gone(self, sender_S: Int64, kind: str, round: int) -> tuple[Bool, Why] | None:
        """Bool[S]: whose message of this kind will never come unless it is there; and why."""
        if self.attendance.closed(round, kind):
            return np.ones(len(sender_S), bool), (DeadlineMissed, "not there at the deadline")
        missing = self.attendance.senders_missing(round, kind)
        return None if missing is None else (missing[sender_S], (NodeDown, "the sender is away"))

    def _absent(
        self, table: MessageTable, rows: Int64, round: int, kind: str
    ) -> Iterator[tuple[Int64, Why]]:
        missing = self.attendance.senders_missing(round, kind)
        if missing is not None:
            yield rows[missing[table.sender[rows]]], (NodeDown, "the sender is away")
        missing = self.attendance.receivers_missing(round, kind)
        if missing is not None:
            yield rows[missing[table.receiver[rows]]], (NodeDown, "the receiver is away")

    def _cut(self, table: MessageTable, rows: Int64, round: int) -> Iterator[tuple[Int64, Why]]:
        host = self._topology.host_N
        a, b = host[table.sender[rows]], host[table.receiver[rows]]
        apart = a != b
        if isinstance(self.failures.links, LinksPerRound):
            pair = a.astype(np.uint64), b.astype(np.uint64)
            down = pairs_down(self.failures.links, self._streams, round, *pair) & apart
            yield rows[down], (LinkDown, "the link is down for the round")
        out = (self.down_H[a] | self.down_H[b]) & apart
        if out.any():
            yield rows[out], (LinkDown, OUTAGE)


OUTAGE = "an access link is out"
"""Why a message failed that may be sent again."""
