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
        self._over: set[int] = set()

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

    def forget(self, round: int) -> None:
        """Drop what nobody took of a round that is over, and what may still arrive of it."""
        self._over.add(round)
        for where in [where for where in self._boxes if where[2] == round]:
            self._drop(self._boxes.pop(where).rows)

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
            if where[2] in self._over:
                self._drop(part)
            else:
                self.box(*where).put(part)

    def open(
        self, where: tuple[int, int, int], rows: Int64, gone: dict[int, TransferFailed]
    ) -> Arrivals:
        """Hand over what rows of the mailbox at ``where`` (receiver, kind, round) carry.

        ``gone`` says of others why they never come.
        """
        if len(rows) == 1:
            return self._open_one(where, int(rows[0]), gone)
        table = self._table
        failed = rows[table.status[rows] == ABORTED].tolist()
        arrived = rows[table.status[rows] != ABORTED] if failed else rows
        why = gone | {int(table.sender[row]): self.errors.pop(row) for row in failed}
        arrivals = Arrivals(where, self._parts(arrived), why, self._deliver)
        for number, times in self._by_sending(rows):
            self._take(number, times)
        return arrivals

    def _open_one(
        self, where: tuple[int, int, int], row: int, gone: dict[int, TransferFailed]
    ) -> Arrivals:
        """As ``open``, sooner: most mailboxes hold one message."""
        table, number = self._table, int(self._table.sending[row])
        sender, sending = int(table.sender[row]), self.sendings[number]
        self._take(number, 1)
        if table.status[row] == ABORTED:
            return Arrivals(where, [], gone | {sender: self.errors.pop(row)}, self._deliver)
        part = sender, sending, int(table.index[row])
        return Arrivals(where, [part], gone, self._deliver)

    def _drop(self, rows: list[int]) -> None:
        for row in rows:
            self.errors.pop(row, None)
        for number, times in self._by_sending(np.array(rows, dtype=np.int64)):
            self._take(number, times)

    def _take(self, number: int, times: int) -> None:
        """Receivers took so many messages of a sending."""
        sending = self.sendings[number]
        sending.untaken -= times
        if sending.untaken == 0:
            del self.sendings[number]

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
