"""One transfer at a time per uplink."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np

from netsim.network.sharing.base import Float64, Int64, Sharing
from netsim.network.sharing.slots import Slots

WAITING, ENDED = -1, -2


@dataclass(slots=True)
class _Transfer:
    slot: int
    bits: int
    route: Int64
    inner: int = WAITING  # its slot of the inner sharing once it moves

    @property
    def uplink(self) -> int:
        return int(self.route[0])


@final
class Fifo(Sharing):
    """Transfers of one uplink, the first link of their routes, move one after another.

    They go in the order of their start.  Those of different uplinks that move at the same
    time share all other links as ``inner`` does.  A transfer that is stalled keeps its turn.
    """

    def __init__(self, inner: Sharing) -> None:
        self._inner = inner
        self._slots = Slots()
        self._transfers: dict[int, _Transfer] = {}
        self._by_inner: dict[int, _Transfer] = {}
        self._queues: dict[int, deque[_Transfer]] = {}

    def start(
        self,
        now: float,
        bits: Int64,
        route_ptr: Int64,
        route_links: Int64,
        weights: Float64 | None = None,
    ) -> Int64:
        assert weights is None
        slots = self._slots.take(len(bits))
        ptr = route_ptr.tolist()
        first = []
        for i, (slot, size) in enumerate(zip(slots.tolist(), bits.tolist(), strict=True)):
            transfer = _Transfer(slot, size, route_links[ptr[i] : ptr[i + 1]])
            self._transfers[slot] = transfer
            queue = self._queues.setdefault(transfer.uplink, deque())
            if not queue:
                first.append(transfer)
            queue.append(transfer)
        self._move(now, first)
        return slots

    def set_capacity(self, now: float, links: Int64, capacity_bps: Float64) -> None:
        self._inner.set_capacity(now, links, capacity_bps)

    def abort(self, now: float, slots: Int64) -> Int64:
        sent = self.sent(now, slots)
        ended = [self._transfers.pop(slot) for slot in slots.tolist()]
        moving = [transfer for transfer in ended if transfer.inner >= 0]
        inner = np.array([transfer.inner for transfer in moving], np.int64)
        for transfer in ended:
            transfer.inner = ENDED
        for slot in inner.tolist():
            del self._by_inner[slot]
        self._inner.abort(now, inner)
        self._slots.give(slots)
        self._next(now, moving)
        return sent

    def add_links(self, capacity_bps: Float64) -> int:
        return self._inner.add_links(capacity_bps)

    def next_completion(self) -> float:
        return self._inner.next_completion()

    def complete(self, now: float) -> Int64:
        inner = self._inner.complete(now).tolist()
        ended = [self._by_inner.pop(slot) for slot in inner]
        for transfer in ended:
            transfer.inner = ENDED
            del self._transfers[transfer.slot]
        slots = np.sort(np.array([transfer.slot for transfer in ended], np.int64))
        self._slots.give(slots)
        self._next(now, ended)
        return slots

    def sent(self, now: float, slots: Int64) -> Int64:
        moving, inner = self._moving(slots)
        sent = np.zeros(len(slots), np.int64)
        sent[moving] = self._inner.sent(now, inner)
        return sent

    def rate(self, slots: Int64) -> Float64:
        moving, inner = self._moving(slots)
        rates = np.zeros(len(slots))
        rates[moving] = self._inner.rate(inner)
        return rates

    def _moving(self, slots: Int64) -> tuple[Int64, Int64]:
        """Which of ``slots`` move, and their slots of the inner sharing."""
        inner = np.array([self._transfers[slot].inner for slot in slots.tolist()], np.int64)
        moving = np.flatnonzero(inner >= 0)
        return moving, inner[moving]

    def _next(self, now: float, ended: Iterable[_Transfer]) -> None:
        """The next in the queues whose first transfer ended."""
        heads = []
        for uplink in sorted({transfer.uplink for transfer in ended}):
            queue = self._queues[uplink]
            while queue and queue[0].inner == ENDED:
                queue.popleft()
            if queue:
                heads.append(queue[0])
        self._move(now, heads)

    def _move(self, now: float, transfers: list[_Transfer]) -> None:
        if not transfers:
            return
        bits = np.array([transfer.bits for transfer in transfers], np.int64)
        lengths = [len(transfer.route) for transfer in transfers]
        ptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        links = np.concatenate([transfer.route for transfer in transfers])
        inner = self._inner.start(now, bits, ptr, links)
        for transfer, slot in zip(transfers, inner.tolist(), strict=True):
            transfer.inner = slot
            self._by_inner[slot] = transfer
