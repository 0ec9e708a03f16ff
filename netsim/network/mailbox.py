"""Where messages wait for their receiver."""

import asyncio
from collections import Counter

from netsim.network.table import MessageTable


class Mailbox:
    """Messages of one kind and round to one node, as rows of the table, in order of arrival."""

    __slots__ = ("_waiters", "rows")

    def __init__(self) -> None:
        self.rows: list[int] = []
        self._waiters: tuple[tuple[int, asyncio.Future[None]], ...] = ()

    def put(self, rows: list[int]) -> None:
        """Rows arrive, or are known never to; wakes receivers that may be able to go on."""
        self.rows += rows
        if self._waiters and (len(self._waiters) > 1 or len(self.rows) >= self._waiters[0][0]):
            self.poke()

    def poke(self) -> None:
        """Wake the receivers to look again at what is here and what can still come."""
        waiters, self._waiters = self._waiters, ()
        for _, waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def until(self, count: int) -> "asyncio.Future[None]":
        """What to wait for until more than the rows already here, at least ``count``, are here,
        or something else has changed."""
        waiter: asyncio.Future[None] = asyncio.Future()
        self._waiters += ((max(count, len(self.rows) + 1), waiter),)
        return waiter

    def take(self, wanted: list[int], table: MessageTable) -> list[int] | None:
        """One row for each of the sorted senders ``wanted``, or None while one is missing.

        A sender may be named several times.  Rows come ordered by sender, then by sending.
        """
        if len(self.rows) < len(wanted):
            return None
        rows = sorted(self.rows)
        senders = table.numbers(table.sender, rows)
        if senders != wanted:
            order = sorted(range(len(rows)), key=senders.__getitem__)
            senders, rows = [senders[at] for at in order], [rows[at] for at in order]
            if senders != wanted:
                rows = _first_of_each(senders, rows, Counter(wanted))
        if len(rows) < len(wanted):
            return None
        self._drop(rows)
        return rows

    def missing(self, wanted: list[int], table: MessageTable) -> list[int]:
        """The senders of ``wanted`` that nothing came from yet."""
        here = Counter(table.numbers(table.sender, self.rows))
        return sorted((Counter(wanted) - here).elements())

    def _drop(self, rows: list[int]) -> None:
        if len(rows) == len(self.rows):
            self.rows = []
        else:
            gone = set(rows)
            self.rows = [row for row in self.rows if row not in gone]
        self.poke()


def _first_of_each(senders: list[int], rows: list[int], wanted: Counter[int]) -> list[int]:
    """Of the ``rows`` of each sender as many as are wanted of it, the first."""
    taken = []
    for sender, row in zip(senders, rows, strict=True):
        if wanted[sender] > 0:
            taken.append(row)
        wanted[sender] -= 1
    return taken
