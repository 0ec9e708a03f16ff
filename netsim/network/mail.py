"""The mailboxes of all nodes, and the sendings whose messages lie in them."""

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from netsim.network.failures import TransferFailed
from netsim.network.mailbox import Mailbox
from netsim.network.messages import Arrivals, Deliver, Sending
from netsim.network.table import ABORTED, MessageTable
from netsim.network.topology import Int64

_FEW = 16


class Mail:
    """Takes rows of the table to their receivers and tells their senders.

    ``errors`` says of failed rows why; ``sendings`` holds those with messages that their
    receivers have not taken.
    """

    def __init__(self, table: MessageTable, deliver: Deliver | None) -> None:
        self.errors: dict[int, TransferFailed] = {}
        self.sendings: dict[int, Sending] = {}
        self._table = table
        self._deliver = deliver
        self._boxes: dict[tuple[int, int, int], Mailbox] = {}

    def box(self, receiver: int, kind: int, round: int) -> Mailbox:
        """The mailbox of a node for a kind of a round."""
        where = receiver, kind, round
        box = self._boxes.get(where)
        if box is None:
            box = self._boxes[where] = Mailbox()
        return box

    def close(self, receiver: int, kind: int, round: int) -> None:
        """Drop a mailbox that is empty."""
        box = self._boxes.get((receiver, kind, round))
        if box is not None and not box.rows:
            del self._boxes[receiver, kind, round]

    def poke(self, round: int) -> None:
        """Let all who wait for something of the round look again at what can still come."""
        for (_, _, of), box in list(self._boxes.items()):
            if of == round:
                box.poke()

    def tell(self, rows: Int64, count: Callable[[Sending, int], None]) -> None:
        """Tell each sending how many of its messages went on."""
        for number, times in self._by_sending(rows):
            count(self.sendings[number], times)

    def put(self, rows: Int64) -> None:
        """Put rows in the mailboxes of their receivers."""
        table = self._table
        for part in self._by_box(rows):
            row = part[0]
            where = int(table.receiver[row]), int(table.kind[row]), int(table.round[row])
            self.box(*where).put(part)

    def open(
        self, where: tuple[int, int, int], rows: Int64, gone: dict[int, TransferFailed]
    ) -> Arrivals:
        """Hand over what rows of the mailbox at ``where`` (receiver, kind, round) carry.

        ``gone`` says of others why they never come.
        """
        table = self._table
        failed = rows[table.status[rows] == ABORTED].tolist()
        arrived = rows[table.status[rows] != ABORTED] if failed else rows
        why = gone | {int(table.sender[row]): self.errors.pop(row) for row in failed}
        arrivals = Arrivals(where, self._parts(arrived), why, self._deliver)
        for number, times in self._by_sending(rows):
            sending = self.sendings[number]
            sending.untaken -= times
            if sending.untaken == 0:
                del self.sendings[number]
        return arrivals

    def _parts(self, rows: Int64) -> list[tuple[int, Sending, int]]:
        table = self._table
        sendings = [self.sendings[number] for number in table.sending[rows].tolist()]
        senders, places = table.sender[rows].tolist(), table.index[rows].tolist()
        return list(zip(senders, sendings, places, strict=True))

    def _by_sending(self, rows: Int64) -> Iterable[tuple[int, int]]:
        """The sendings that rows belong to, ascending, with how many each has."""
        sendings = self._table.sending[rows]
        if len(rows) <= _FEW:
            return sorted(Counter(sendings.tolist()).items())
        numbers, counts = np.unique(sendings, return_counts=True)
        return zip(numbers.tolist(), counts.tolist(), strict=True)

    def _by_box(self, rows: Int64) -> list[list[int]]:
        """The rows, those of one mailbox together."""
        if len(rows) <= _FEW:
            return [[row] for row in rows.tolist()]
        table = self._table
        rows = rows[np.lexsort((table.kind[rows], table.round[rows], table.receiver[rows]))]
        changes = np.zeros(len(rows) - 1, bool)
        for key in (table.kind, table.round, table.receiver):
            changes |= np.diff(key[rows]) != 0
        return [part.tolist() for part in np.split(rows, np.flatnonzero(changes) + 1)]
