"""Where messages wait for their receiver."""

import asyncio
from collections import Counter

import numpy as np
import numpy.typing as npt

from netsim.network.topology import Int64


class Mailbox:
    """Messages of one kind and round to one node, as rows of the table, in order of arrival."""

    __slots__ = ("_waiters", "rows")

    def __init__(self) -> None:
        self.rows: list[int] = []
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []

    def put(self, rows: list[int]) -> None:
        """Rows arrive, or are known never to; wakes receivers that may be able to go on."""
        self.rows += rows
        if self._waiters and (len(self._waiters) > 1 or len(self.rows) >= self._waiters[0][0]):
            self.poke()

    def poke(self) -> None:
        """Wake the receivers to look again at what is here and what can still come."""
        waiters, self._waiters = self._waiters, []
        for _, waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def until(self, count: int) -> "asyncio.Future[None]":
        """What to wait for until more than the rows already here, at least ``count``, are here,
        or something else has changed."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append((max(count, len(self.rows) + 1), waiter))
        return waiter

    def take(self, sender_S: Int64, sender_of: npt.NDArray[np.int32]) -> Int64 | None:
        """One row for each of the sorted ``sender_S``, or None while one is missing.

        A sender may be named several times.  Rows come ordered by sender, then by sending.
        """
        if len(self.rows) < len(sender_S):
            return None
        if len(self.rows) == 1 == len(sender_S) and sender_of[self.rows[0]] == sender_S[0]:
            return self._all()
        rows = np.array(self.rows, dtype=np.int64)
        rows.sort()
        senders = sender_of[rows]
        order = senders.argsort(kind="stable")
        rows, senders = rows[order], senders[order]
        if len(rows) == len(sender_S) and (senders == sender_S).all():
            self._all()
            return rows
        rows = rows[_first_of_each(senders.tolist(), Counter(sender_S.tolist()))]
        if len(rows) < len(sender_S):
            return None
        gone = set(rows.tolist())
        self.rows = [row for row in self.rows if row not in gone]
        self.poke()
        return rows

    def _all(self) -> Int64:
        rows, self.rows = np.array(self.rows, dtype=np.int64), []
        self.poke()
        return rows

    def missing(self, sender_S: Int64, sender_of: npt.NDArray[np.int32]) -> list[int]:
        """The senders of ``sender_S`` that nothing came from yet."""
        here = Counter(sender_of[np.array(self.rows, dtype=np.int64)].tolist())
        return sorted((Counter(sender_S.tolist()) - here).elements())


def _first_of_each(senders: list[int], wanted: Counter[int]) -> list[bool]:
    taken = []
    for sender in senders:
        taken.append(wanted[sender] > 0)
        wanted[sender] -= 1
    return taken
