"""The mailboxes of all nodes, and the sendings whose messages lie in them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import compress

import numpy as np

from netsim.network.failures import TransferFailed
from netsim.network.mailbox import Mailbox
from netsim.network.messages import Arrivals, Deliver, Sending
from netsim.network.table import MessageTable
from netsim.network.topology import Int64

Where = tuple[int, int, int]
"""Which mailbox: its receiver, the code of the kind, and the round."""

_FEW, _SOME = 16, 64
"""Up to so many rows, Python is faster than numpy."""


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
        self._boxes: dict[Where, Mailbox] = {}
        self._over: set[int] = set()

    def box(self, where: Where) -> Mailbox:
        """The mailbox of a node for a kind of a round."""
        box = self._boxes.get(where)
        if box is None:
            box = self._boxes[where] = Mailbox()
        return box

    def close(self, where: Where) -> None:
        """Drop a mailbox that is empty."""
        box = self._boxes.get(where)
        if box is not None and not box.rows:
            del self._boxes[where]

    def forget(self, round: int) -> None:
        """Drop what nobody took of a round that is over, and what may still arrive of it."""
        self._over.add(round)
        for where in [where for where in self._boxes if where[2] == round]:
            self._lose(self._boxes.pop(where).rows)

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
        for where, part in self._by_box(rows):
            if where[2] in self._over:
                self._lose(part)
            else:
                self.box(where).put(part)

    def open(
        self, where: Where, senders: list[int], rows: list[int], gone: dict[int, TransferFailed]
    ) -> Arrivals:
        """Hand over what rows of the mailbox at ``where``, one from each of ``senders``, carry.

        ``gone`` says of others why they never come.
        """
        sendings = self._taken(rows)
        if self.errors:
            errors = [self.errors.pop(row, None) for row in rows]
            failed = zip(senders, errors, strict=True)
            gone = gone | {sender: error for sender, error in failed if error is not None}
            arrived = [error is None for error in errors]
            senders, rows = list(compress(senders, arrived)), list(compress(rows, arrived))
            sendings = list(compress(sendings, arrived))
        places = self._table.numbers(self._table.index, rows)
        return Arrivals(where, senders, sendings, places, gone, self._deliver)

    def _lose(self, rows: list[int]) -> None:
        """Nobody takes these rows."""
        self._taken(rows)
        for row in rows:
            self.errors.pop(row, None)

    def _taken(self, rows: list[int]) -> list[Sending]:
        """The sendings that rows belong to; those with nothing left to take are let go."""
        sendings = []
        for number in self._table.numbers(self._table.sending, rows):
            sending = self.sendings[number]
            sending.untaken -= 1
            if sending.untaken == 0:
                del self.sendings[number]
            sendings.append(sending)
        return sendings

    def _by_sending(self, rows: Int64) -> Iterable[tuple[int, int]]:
        """The sendings that rows belong to, ascending, with how many each has."""
        sendings = self._table.sending[rows]
        if len(rows) <= _SOME:
            return sorted(Counter(sendings.tolist()).items())
        numbers, counts = np.unique(sendings, return_counts=True)
        return zip(numbers.tolist(), counts.tolist(), strict=True)

    def _by_box(self, rows: Int64) -> Iterator[tuple[Where, list[int]]]:
        """The rows, those of one mailbox together."""
        table = self._table
        to, of, at = table.receiver, table.kind, table.round
        if len(rows) <= _FEW:
            for row in rows.tolist():
                yield (to.item(row), of.item(row), at.item(row)), [row]
            return
        rounds = at[rows].astype(np.int64)
        keys = (to[rows] * (rounds.max() + 1) + rounds) * len(table.kinds) + of[rows]
        order = np.argsort(keys, kind="stable")
        rows, keys = rows[order], keys[order]
        firsts = np.concatenate([[0], np.flatnonzero(np.diff(keys)) + 1])
        boxes = zip(*(key[rows[firsts]].tolist() for key in (to, of, at)), strict=True)
        numbers, starts = rows.tolist(), firsts.tolist()
        for box, start, end in zip(boxes, starts, [*starts[1:], len(rows)], strict=True):
            yield box, numbers[start:end]
