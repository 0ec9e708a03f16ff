"""Messages between nodes: posted, carried, and put where their receiver waits."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from netsim.kernel import running_loop, waiting
from netsim.network.carrier import Carrier
from netsim.network.failures import TransferFailed
from netsim.network.mailbox import Mailbox
from netsim.network.messages import Arrivals, Deliver, Place, Sending
from netsim.network.sharing.base import Sharing
from netsim.network.table import ABORTED, LOCAL, MOVING, MessageTable
from netsim.network.topology import Float64, Int64, Topology

_FEW = 16


class _Post(NamedTuple):
    number: int
    sender: int
    receivers: Int64
    payload_bits: int | list[int]
    wire_bits: int | list[int]
    kind: int
    round: int


class Network:
    """The nodes' post office on a virtual clock.

    What is posted at one instant starts together at the end of that instant.  Messages meet
    their receiver by kind and round; messages between nodes on one host cost nothing.
    ``count`` says which size the links carry; ``deliver`` what is done to a payload on arrival.
    """

    def __init__(
        self,
        topology: Topology,
        sharing: Sharing,
        count: Literal["wire", "payload"] = "wire",
        deliver: Deliver | None = None,
    ) -> None:
        self.topology = topology
        self.table = MessageTable()
        self._count = count
        self._deliver = deliver
        self._loop = running_loop()
        self._carrier = Carrier(topology, sharing, self.table, self._on_left, self._on_arrived)
        self._posted: list[_Post] = []
        self._sendings: dict[int, Sending] = {}
        self._numbers = 0
        self._boxes: dict[tuple[int, int, int], Mailbox] = {}
        self._errors: dict[int, TransferFailed] = {}

    def post(
        self, sender: int, receivers: Sequence[int] | Int64, payloads: Any, kind: str, round: int
    ) -> Sending:
        """Start sending to each of ``receivers``: one payload for all, or a list, one for each."""
        to = np.asarray(receivers, dtype=np.int64)
        code = self.table.kind_code(kind)
        if isinstance(payloads, list):
            assert len(payloads) == len(to), "one payload a receiver"
            payload: int | list[int] = [each.payload_bits for each in payloads]
            wire: int | list[int] = [each.wire_bits for each in payloads]
        else:
            payload, wire = payloads.payload_bits, payloads.wire_bits
        number = self._numbers = self._numbers + 1
        sending = Sending(
            self.topology.names[sender], payloads, len(to), lambda: self._why_unsent(number)
        )
        if len(to):
            self._sendings[number] = sending
            if not self._posted:
                self._loop.at_instant_end(self._flush)
            self._posted.append(_Post(number, sender, to, payload, wire, code, round))
        return sending

    async def collect(
        self, receiver: int, senders: Sequence[int] | Int64, kind: str, round: int
    ) -> Arrivals:
        """Wait for one message of this kind and round from each of ``senders``."""
        wanted = np.sort(np.asarray(senders, dtype=np.int64))
        key = (receiver, self.table.kind_code(kind), round)
        box = self._boxes.setdefault(key, Mailbox())
        while (rows := box.take(wanted, self.table.sender)) is None:
            with waiting(
                self.topology.names[receiver], lambda: self._why_missing(box, wanted, kind, round)
            ):
                await box.until(len(wanted))
        if not box.rows:
            self._boxes.pop(key, None)
        return self._open(rows)

    def set_capacity(self, links: Int64, capacity_bps: Float64) -> None:
        """Change the rates of links, now."""
        self._carrier.set_capacity(links, capacity_bps)

    def fail(self, rows: Int64, error: type[TransferFailed], reason: str) -> None:
        """Abort rows that are on their way; both ends are told ``error``."""
        rows = rows[self.table.status[rows] == MOVING]
        unsent = rows[self.table.end_s[rows] == np.inf]
        self._carrier.abort(rows)
        for row in rows.tolist():
            self._errors[row] = self._error(row, error, reason)
            sending = self._sendings[int(self.table.sending[row])]
            sending.failed[int(self.table.receiver[row])] = self._errors[row]
        self._tally(unsent, Sending.sent)
        self._tally(rows, Sending.settle)
        self._put(rows)

    def close(self) -> None:
        """End what is still on its way; bits already sent stay charged."""
        table = self.table
        self._carrier.abort(np.flatnonzero(table.status[: table.rows] == MOVING))

    def _flush(self) -> None:
        posted, self._posted = self._posted, []
        rows = self._enter(posted)
        table = self.table
        host = self.topology.host_N
        local = host[table.sender[rows]] == host[table.receiver[rows]]
        if local.any():
            here = rows[local]
            table.status[here] = LOCAL
            table.end_s[here] = self._loop.time()
            self._on_left(here)
            self._on_arrived(here)
            rows = rows[~local]
        if len(rows):
            self._carrier.carry(rows)

    def _enter(self, posted: list[_Post]) -> Int64:
        """Write what was posted at this instant into the table."""
        counts = np.array([len(post.receivers) for post in posted])
        table, rows = self.table, self.table.append(int(counts.sum()))
        first = np.repeat(np.cumsum(counts) - counts, counts)
        place = np.arange(len(rows)) - first
        sender = np.repeat([post.sender for post in posted], counts)
        table.sender[rows] = sender
        table.receiver[rows] = np.concatenate([post.receivers for post in posted])
        table.kind[rows] = np.repeat([post.kind for post in posted], counts)
        table.round[rows] = np.repeat([post.round for post in posted], counts)
        table.sending[rows] = np.repeat([post.number for post in posted], counts)
        table.index[rows] = place
        table.payload_bits[rows] = _spread([post.payload_bits for post in posted], counts)
        table.wire_bits[rows] = _spread([post.wire_bits for post in posted], counts)
        carried = table.wire_bits if self._count == "wire" else table.payload_bits
        table.carried_bits[rows] = carried[rows]
        table.start_s[rows] = self._loop.time()
        return rows

    def _on_left(self, rows: Int64) -> None:
        self._tally(rows, Sending.sent)

    def _on_arrived(self, rows: Int64) -> None:
        self._tally(rows, Sending.settle)
        self._put(rows)

    def _tally(self, rows: Int64, count: Callable[[Sending, int], None]) -> None:
        """Tell each sending how many of its messages went on."""
        if len(rows) == 1:
            count(self._sendings[int(self.table.sending[rows[0]])], 1)
            return
        numbers, counts = np.unique(self.table.sending[rows], return_counts=True)
        for number, times in zip(numbers.tolist(), counts.tolist(), strict=True):
            count(self._sendings[number], times)

    def _put(self, rows: Int64) -> None:
        """Put rows in the mailboxes of their receivers."""
        table = self.table
        if len(rows) > _FEW:
            keys = (table.kind[rows], table.round[rows], table.receiver[rows])
            rows = rows[np.lexsort(keys)]
            changes = np.zeros(len(rows) - 1, bool)
            for key in (table.kind[rows], table.round[rows], table.receiver[rows]):
                changes |= np.diff(key) != 0
            parts = [part.tolist() for part in np.split(rows, np.flatnonzero(changes) + 1)]
        else:
            parts = [[row] for row in rows.tolist()]
        for part in parts:
            row = part[0]
            where = (int(table.receiver[row]), int(table.kind[row]), int(table.round[row]))
            box = self._boxes.get(where)
            if box is None:
                box = self._boxes[where] = Mailbox()
            box.put(part)

    def _open(self, rows: Int64) -> Arrivals:
        """Hand over what the rows carry."""
        failed = {int(self.table.sender[row]): self._errors[row] for row in self._failed(rows)}
        arrived = rows[self.table.status[rows] != ABORTED] if failed else rows
        arrivals = Arrivals(self._parts(arrived), failed, self._deliver)
        for number, times in zip(
            *np.unique(self.table.sending[rows], return_counts=True), strict=True
        ):
            sending = self._sendings[int(number)]
            sending.untaken -= int(times)
            if sending.untaken == 0:
                del self._sendings[int(number)]
        return arrivals

    def _parts(self, rows: Int64) -> list[tuple[Place, Sending]]:
        table = self.table
        columns = (table.kind, table.round, table.sender, table.receiver, table.index)
        places = zip(*(column[rows].tolist() for column in columns), strict=True)
        sendings = (self._sendings[number] for number in table.sending[rows].tolist())
        return [(Place(*place), sending) for place, sending in zip(places, sendings, strict=True)]

    def _failed(self, rows: Int64) -> list[int]:
        failed: list[int] = rows[self.table.status[rows] == ABORTED].tolist()
        return failed

    def _error(self, row: int, error: type[TransferFailed], reason: str) -> TransferFailed:
        names, table = self.topology.names, self.table
        kind = table.kinds[table.kind[row]]
        return error(names[table.sender[row]], names[table.receiver[row]], kind, reason)

    def _why_missing(self, box: Mailbox, wanted: Int64, kind: str, round: int) -> str:
        missing = box.missing(wanted, self.table.sender)
        names = ", ".join(self.topology.names[sender] for sender in missing[:_FEW])
        more = f" and {len(missing) - _FEW} more" if len(missing) > _FEW else ""
        return f"'{kind}' of round {round} from {names}{more}"

    def _why_unsent(self, number: int) -> str:
        table = self.table
        rows = np.flatnonzero(
            (table.sending[: table.rows] == number) & (table.end_s[: table.rows] == np.inf)
        )
        to = ", ".join(self.topology.names[node] for node in table.receiver[rows[:_FEW]])
        stopped = rows[self._carrier.rate_bps(rows) == 0]
        _, links = self.topology.routes(table.sender[stopped], table.receiver[stopped])
        dead = [link for link in np.unique(links) if self.topology.capacity_bps_L[link] == 0]
        why = "".join(f"; the {self.topology.link_name(int(link))} has rate 0" for link in dead)
        return f"'{table.kinds[table.kind[rows[0]]]}' to reach {to}{why}"


def _spread(sizes: list[int | list[int]], counts: Int64) -> Int64:
    """One size a row from one size, or a list of sizes, a post."""
    if not any(isinstance(size, list) for size in sizes):
        return np.repeat(np.array(sizes, dtype=np.int64), counts)
    rows = [
        size if isinstance(size, list) else [size] * count
        for size, count in zip(sizes, counts.tolist(), strict=True)
    ]
    return np.array([each for row in rows for each in row], dtype=np.int64)
