"""TCP's pace on top of shared links."""

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import final

import numpy as np

from netsim.network.sharing.base import Float64, Int64, Sharing
from netsim.network.sharing.slots import Slots
from netsim.network.transport.config import Tcp


@dataclass(slots=True)
class _Connection:
    """A transfer on its way: window by window until the path is full, then at once.

    ``inner`` is the slot of what moves now, −1 while it waits for acknowledgements.
    """

    route: Int64
    round_trip_s: float
    left: int
    window: int
    sent: int = 0
    moving: int = 0
    since_s: float = 0.0
    inner: int = -1
    cap: int = -1


@final
class TcpSharing(Sharing):
    """Transfers paced by TCP over the links that ``inner`` shares.

    A window of bits shares the links like any transfer; when its last bit has left before the
    round trip is over the sender stands still until then, and the next window is twice as
    large.  Once a window lasts a round trip the rest follows without a pause, at no more than
    window ÷ round trip.  With ``rtt_weights`` links are shared in proportion to 1 / round trip,
    which must not be 0.  ``latency_s_L`` are the delays of the links, ``reverse_L`` the links
    of the opposite direction, which carry the acknowledgements.
    """

    def __init__(self, inner: Sharing, tcp: Tcp, latency_s_L: Float64, reverse_L: Int64) -> None:
        self._inner = inner
        self._tcp = tcp
        self._latency_s_L = latency_s_L
        self._reverse_L = reverse_L
        self._slots = Slots()
        self._connections: dict[int, _Connection] = {}
        self._slot_of_inner: dict[int, int] = {}
        self._open_s: dict[tuple[int, int], float] = {}
        self._waiting: list[tuple[float, int, int]] = []
        self._starts = 0
        self._free_caps: list[int] = []

    def start(
        self,
        now: float,
        bits: Int64,
        route_ptr: Int64,
        route_links: Int64,
        weights: Float64 | None = None,
    ) -> Int64:
        assert weights is None  # they are made here
        slots = self._slots.take(len(bits))
        ptr, ready = route_ptr.tolist(), []
        for at, (slot, size) in enumerate(zip(slots.tolist(), bits.tolist(), strict=True)):
            route = route_links[ptr[at] : ptr[at + 1]]
            trip_s = 2 * float(self._latency_s_L[route].sum())
            self._connections[slot] = _Connection(route, trip_s, size, self._tcp.first_window_bits)
            open_s = self._open_s.setdefault(self._hosts(route), now + trip_s)
            if self._tcp.handshake and open_s > now:
                self._wait(open_s, slot)
            else:
                ready.append(slot)
        self._send(now, ready)
        return slots

    def set_capacity(self, now: float, links: Int64, capacity_bps: Float64) -> None:
        self._inner.set_capacity(now, links, capacity_bps)

    def add_links(self, capacity_bps: Float64) -> int:
        self._latency_s_L = np.append(self._latency_s_L, np.zeros(len(capacity_bps)))
        first = self._inner.add_links(capacity_bps)
        own = np.arange(first, first + len(capacity_bps))
        self._reverse_L = np.append(self._reverse_L, own)
        return first

    def abort(self, now: float, slots: Int64) -> Int64:
        sent = self.sent(now, slots)
        for slot in slots.tolist():
            connection = self._connections.pop(slot)
            if connection.inner >= 0:
                self._inner.abort(now, np.array([connection.inner]))
                del self._slot_of_inner[connection.inner]
            self._give_cap(connection)
        self._slots.give(slots)
        return sent

    def next_completion(self) -> float:
        waiting = self._waiting[0][0] if self._waiting else np.inf
        return min(waiting, self._inner.next_completion())

    def complete(self, now: float) -> Int64:
        ended, ready = [], []
        for inner in self._inner.complete(now).tolist():
            slot = self._slot_of_inner.pop(inner, -1)
            if slot < 0:
                continue
            connection = self._connections[slot]
            self._left(connection, now)
            if connection.left == 0:
                ended.append(slot)
                self._give_cap(self._connections.pop(slot))
            elif now - connection.since_s < connection.round_trip_s:
                self._wait(connection.since_s + connection.round_trip_s, slot)
            else:
                ready.append(slot)
        while self._waiting and self._waiting[0][0] <= now:
            _, start, slot = heappop(self._waiting)
            if slot in self._connections and self._connections[slot].moving == -start:
                self._connections[slot].moving = 0
                ready.append(slot)
        self._send(now, ready)
        slots = np.array(sorted(ended), dtype=np.int64)
        self._slots.give(slots)
        return slots

    def sent(self, now: float, slots: Int64) -> Int64:
        connections = [self._connections[slot] for slot in slots.tolist()]
        sent = np.array([each.sent for each in connections], dtype=np.int64)
        moving = [at for at, each in enumerate(connections) if each.inner >= 0]
        inner = np.array([connections[at].inner for at in moving], dtype=np.int64)
        sent[moving] += self._inner.sent(now, inner)
        return sent

    def rate(self, slots: Int64) -> Float64:
        rates = np.zeros(len(slots))
        for at, slot in enumerate(slots.tolist()):
            inner = self._connections[slot].inner
            if inner >= 0:
                rates[at] = self._inner.rate(np.array([inner]))[0]
        return rates

    def _hosts(self, route: Int64) -> tuple[int, int]:
        """The two ends of a route, the same in both directions."""
        there, back = route[[0, -1]].tolist(), self._reverse_L[route[[-1, 0]]].tolist()
        first, last = min(there, back)
        return first, last

    def _wait(self, until_s: float, slot: int) -> None:
        """Stand still; ``moving`` holds a mark that tells this wait from those of old slots."""
        self._starts += 1
        self._connections[slot].moving = -self._starts
        heappush(self._waiting, (until_s, self._starts, slot))

    def _left(self, connection: _Connection, now: float) -> None:
        """The last bit of a window has left."""
        connection.inner = -1
        connection.sent += connection.moving
        connection.left -= connection.moving
        if now - connection.since_s < connection.round_trip_s:
            connection.window *= 2
        else:
            connection.window = max(connection.left, 1)

    def _send(self, now: float, slots: list[int]) -> None:
        """Let the next window of each go, and its acknowledgements come back."""
        if not slots:
            return
        bits, routes = [], []
        for slot in slots:
            connection = self._connections[slot]
            connection.since_s = now
            connection.moving = self._next(connection)
            bits.append(connection.moving)
            capped = [connection.cap] if connection.cap >= 0 else []
            routes.append([*connection.route.tolist(), *capped])
        weights = self._weights(slots)
        for slot, inner in zip(slots, self._begin(now, bits, routes, weights), strict=True):
            self._connections[slot].inner = inner
            self._slot_of_inner[inner] = slot
        if self._tcp.acknowledgements and self._tcp.header:
            back = [self._reverse_L[self._connections[slot].route][::-1].tolist() for slot in slots]
            self._begin(now, self._tcp.returned_bits(np.array(bits)).tolist(), back, weights)

    def _weights(self, slots: list[int]) -> Float64 | None:
        """How much of a full link each gets beside others; its acknowledgements get as much."""
        if not self._tcp.rtt_weights:
            return None
        trips_s = np.array([self._connections[slot].round_trip_s for slot in slots])
        assert (trips_s > 0).all()
        return np.asarray(1 / trips_s)

    def _next(self, connection: _Connection) -> int:
        """Bits of the next window; all that is left where the path is slower than the window."""
        trip_s, window = connection.round_trip_s, connection.window
        if trip_s == 0:
            return connection.left
        if window >= self._tcp.window:
            self._take_cap(connection)
            return connection.left
        return min(window, connection.left)

    def _take_cap(self, connection: _Connection) -> None:
        """Hold a connection to window ÷ round trip by a link of its own."""
        rate = np.array([self._tcp.window / connection.round_trip_s])
        if connection.cap < 0:
            connection.cap = self._free_caps.pop() if self._free_caps else self.add_links(rate)
        self._inner.set_capacity(connection.since_s, np.array([connection.cap]), rate)

    def _give_cap(self, connection: _Connection) -> None:
        if connection.cap >= 0:
            self._free_caps.append(connection.cap)

    def _begin(
        self, now: float, bits: list[int], routes: list[list[int]], weights: Float64 | None
    ) -> list[int]:
        ptr = np.concatenate([[0], np.cumsum([len(route) for route in routes])])
        links = np.array([link for route in routes for link in route], dtype=np.int64)
        slots: list[int] = self._inner.start(
            now, np.array(bits, dtype=np.int64), ptr.astype(np.int64), links, weights
        ).tolist()
        return slots
