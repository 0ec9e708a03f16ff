"""Rows of the message table under way: from the sharing engine to their arrival."""

import asyncio
from collections.abc import Callable

import numpy as np

from netsim.kernel import running_loop
from netsim.network.sharing.base import Sharing
from netsim.network.table import ABORTED, DELIVERED, MOVING, MessageTable
from netsim.network.topology import Float64, Int64, Topology

Rows = Callable[[Int64], None]


class Carrier:
    """Moves rows over the links and reports when their last bit left and when they arrived.

    A row arrives when its last bit has left and the path's latency has passed; rows between
    the same two nodes arrive in the order in which they were sent.  All that starts or ends
    at one instant is solved once.
    """

    def __init__(
        self, topology: Topology, sharing: Sharing, table: MessageTable, left: Rows, arrived: Rows
    ) -> None:
        self._loop = running_loop()
        self._topology = topology
        self._sharing = sharing
        self._table = table
        self._left = left
        self._arrived = arrived
        self._row_of_slot = np.full(256, -1, np.int64)
        self._last: dict[int, int] = {}
        self._held: dict[int, tuple[int, float]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._armed = False

    def carry(self, rows: Int64) -> None:
        """Start moving ``rows`` now."""
        table = self._table
        table.end_s[rows] = np.inf
        table.before[rows] = self._earlier(rows)
        bits = table.carried_bits[rows]
        if not bits.all():
            self._finish(rows[bits == 0])
            rows, bits = rows[bits > 0], bits[bits > 0]
        if len(rows) == 0:
            return
        ptr, links = self._topology.routes(table.sender[rows], table.receiver[rows])
        slots = self._sharing.start(self._loop.time(), bits, ptr, links)
        self._reserve(int(slots.max()) + 1)
        self._row_of_slot[slots] = rows
        table.slot[rows] = slots
        self._arm_later()

    def abort(self, rows: Int64) -> None:
        """End rows that are on their way; bits already sent stay charged."""
        table = self._table
        rows = rows[table.status[rows] == MOVING]
        flowing = rows[table.slot[rows] >= 0]
        if len(flowing):
            now = self._loop.time()
            table.sent_bits[flowing] = self._sharing.abort(now, table.slot[flowing])
            table.slot[flowing] = -1
            self._arm_later()
        table.status[rows] = ABORTED
        table.end_s[rows] = self._loop.time()
        self._release(rows)

    def set_capacity(self, links: Int64, capacity_bps: Float64) -> None:
        """Change the rates of links, now."""
        self._sharing.set_capacity(self._loop.time(), links, capacity_bps)
        self._arm_later()

    def rate_bps(self, rows: Int64) -> Float64:
        """The rate of rows that are moving, bit/s; 0 for those with no bit left to send."""
        slots = self._table.slot[rows]
        rates = np.zeros(len(rows))
        rates[slots >= 0] = self._sharing.rate(slots[slots >= 0])
        return rates

    def _earlier(self, rows: Int64) -> Int64:
        """For each row the last one between the same nodes if it is still on its way, else -1."""
        table = self._table
        pairs = table.sender[rows].astype(np.int64) * len(self._topology.names)
        keys = (pairs + table.receiver[rows]).tolist()
        numbers = rows.tolist()
        last = self._last
        before = [last.get(key, -1) for key in keys]
        last.update(zip(keys, numbers, strict=True))
        if len(rows) > 1 and len(set(keys)) < len(keys):
            before = self._chain(keys, numbers, dict(zip(keys, before, strict=True)))
        earlier = np.array(before, dtype=np.int64)
        if max(before) < 0:
            return earlier
        status = table.status[earlier]
        earlier[(status != MOVING) & (status != ABORTED)] = -1
        failed = (earlier >= 0) & (status == ABORTED)
        earlier[failed] = [self._moving(row) for row in earlier[failed].tolist()]
        return earlier

    def _moving(self, row: int) -> int:
        """``row`` if it is on its way, or the one it followed if it failed, and so on; else -1."""
        table = self._table
        while row >= 0 and table.status[row] == ABORTED:
            row = int(table.before[row])
        return row if row >= 0 and table.status[row] == MOVING else -1

    @staticmethod
    def _chain(keys: list[int], numbers: list[int], last: dict[int, int]) -> list[int]:
        before = []
        for key, number in zip(keys, numbers, strict=True):
            before.append(last[key])
            last[key] = number
        return before

    def _reserve(self, slots: int) -> None:
        if slots > len(self._row_of_slot):
            more = np.full(max(slots, 2 * len(self._row_of_slot)), -1, np.int64)
            more[: len(self._row_of_slot)] = self._row_of_slot
            self._row_of_slot = more

    def _arm_later(self) -> None:
        if not self._armed:
            self._armed = True
            self._loop.at_instant_end(self._arm)

    def _arm(self) -> None:
        self._armed = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._sharing.next_completion()
        if due < np.inf:
            self._timer = self._loop.call_at(due, self._complete)

    def _complete(self) -> None:
        self._timer = None
        rows = self._row_of_slot[self._sharing.complete(self._loop.time())]
        rows.sort()
        self._arm_later()
        if len(rows):
            self._finish(rows)

    def _finish(self, rows: Int64) -> None:
        """The last bit of ``rows`` has left."""
        table = self._table
        table.sent_bits[rows] = table.carried_bits[rows]
        table.left[rows] = True
        table.slot[rows] = -1
        self._left(rows)
        due = self._topology.path_latency_s(table.sender[rows], table.receiver[rows])
        due += self._loop.time()
        if self._held or (table.before[rows] >= 0).any():
            rows, due = self._in_order(list(zip(rows.tolist(), due.tolist(), strict=True)))
        table.end_s[rows] = due
        self._schedule(rows, due)

    def _in_order(self, finished: list[tuple[int, float]]) -> tuple[Int64, Float64]:
        """Rows that may arrive, and when: none before what the same nodes sent earlier."""
        table, free = self._table, []
        for row, due in finished:
            before = self._moving(int(table.before[row]))
            if before >= 0:
                if table.end_s[before] == np.inf:
                    self._held[before] = (row, due)
                    continue
                due = max(due, float(table.end_s[before]))
            free += self._follow(row, due)
        rows = np.array([row for row, _ in free], dtype=np.int64)
        return rows, np.array([due for _, due in free])

    def _follow(self, row: int, due: float) -> list[tuple[int, float]]:
        """``row`` and all that was held behind it."""
        chain = [(row, due)]
        self._table.end_s[row] = due
        while row in self._held:
            row, own = self._held.pop(row)
            if self._table.status[row] == MOVING:
                due = max(own, due)
                self._table.end_s[row] = due
                chain.append((row, due))
        return chain

    def _release(self, rows: Int64) -> None:
        """Let go what was held behind rows that failed."""
        if not self._held:
            return
        for row in rows.tolist():
            if row in self._held:
                follower, due = self._held.pop(row)
                if self._table.status[follower] == MOVING:
                    self._schedule(*self._in_order([(follower, max(due, self._loop.time()))]))

    def _schedule(self, rows: Int64, due: Float64) -> None:
        if len(rows) == 0:
            return
        if (due == due[0]).all():
            self._arrive_at(float(due[0]), rows)
            return
        order = np.argsort(due, kind="stable")
        rows, due = rows[order], due[order]
        for part in np.split(rows, np.flatnonzero(np.diff(due)) + 1):
            self._arrive_at(float(self._table.end_s[part[0]]), part)

    def _arrive_at(self, due: float, rows: Int64) -> None:
        if due <= self._loop.time():
            self._arrive(rows)
        else:
            self._loop.call_at(due, self._arrive, rows)

    def _arrive(self, rows: Int64) -> None:
        rows = rows[self._table.status[rows] == MOVING]
        self._table.status[rows] = DELIVERED
        self._arrived(rows)
