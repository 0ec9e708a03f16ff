"""Rates that end a phase as early as any rates could."""

from typing import final

import numpy as np
import numpy.typing as npt

from netsim.network.sharing.base import ROUNDING, TIE, Float64, Int64, Sharing
from netsim.network.sharing.slots import Slots


@final
class Optimal(Sharing):
    """Every transfer gets a rate in proportion to what it has left, so that all end together.

    They end after T = max over links of (bits still to cross the link / its capacity).  For
    transfers that start together this is the phase bound, which no rates can beat.  Transfers
    over a link of capacity 0 get no rate and do not hold up the others.
    """

    def __init__(self, capacity_bps: Float64) -> None:
        self._capacity_bps = np.array(capacity_bps, np.float64)
        self._slots = Slots()
        self._size_bits = np.zeros(0, np.int64)  # 0: the slot is free
        self._left_bits = np.zeros(0)  # at the time now
        self._moves = np.zeros(0, np.bool_)
        self._links_SR = np.full((0, 2), -1, np.int64)
        self._now = 0.0
        self._end = np.inf
        self._changed = False

    def start(
        self,
        now: float,
        bits: Int64,
        route_ptr: Int64,
        route_links: Int64,
        weights: Float64 | None = None,
    ) -> Int64:
        assert weights is None
        self._advance(now)
        lengths = np.diff(route_ptr)
        assert (bits > 0).all()
        assert (lengths > 0).all()
        slots = self._slots.take(len(bits))
        self._reserve(self._slots.high, int(lengths.max(initial=0)))
        self._size_bits[slots] = bits
        self._left_bits[slots] = bits
        self._links_SR[slots] = -1
        hop = np.arange(len(route_links)) - np.repeat(route_ptr[:-1], lengths)
        self._links_SR[np.repeat(slots, lengths), hop] = route_links
        self._changed = True
        return slots

    def set_capacity(self, now: float, links: Int64, capacity_bps: Float64) -> None:
        self._advance(now)
        assert ((capacity_bps >= 0) & (capacity_bps < np.inf)).all()
        self._capacity_bps[links] = capacity_bps
        self._changed = True

    def abort(self, now: float, slots: Int64) -> Int64:
        sent = self.sent(now, slots)
        self._give(slots)
        return sent

    def add_links(self, capacity_bps: Float64) -> int:
        first = len(self._capacity_bps)
        self._capacity_bps = np.concatenate([self._capacity_bps, capacity_bps])
        return first

    def next_completion(self) -> float:
        self._solve()
        return self._end

    def complete(self, now: float) -> Int64:
        self._advance(now)
        if self._end <= now + TIE * now:
            self._left_bits[self._moves] = 0.0
        ended = np.flatnonzero(self._done())
        if len(ended):
            self._give(ended)
        return ended

    def sent(self, now: float, slots: Int64) -> Int64:
        self._advance(now)
        size = self._size_bits[slots]
        bits = np.floor(size - self._left_bits[slots] + ROUNDING * size).astype(np.int64)
        return np.clip(bits, 0, size)

    def rate(self, slots: Int64) -> Float64:
        self._solve()
        if not self._now < self._end < np.inf:
            return np.zeros(len(slots))
        return self._left_bits[slots] * self._moves[slots] / (self._end - self._now)

    def _advance(self, now: float) -> None:
        """Let all bits move until ``now``."""
        if now > self._now:
            self._solve()
            if self._end <= now + TIE * now:
                self._left_bits[self._moves] = 0.0
            elif self._end < np.inf:
                self._left_bits[self._moves] *= (self._end - now) / (self._end - self._now)
            self._now = now
        assert now == self._now

    def _solve(self) -> None:
        """Find when all that moves ends; transfers that are done end first, at once."""
        if not self._changed:
            return
        self._changed = False
        links = self._links_SR
        stalled = ((self._capacity_bps[links] == 0) & (links >= 0)).any(axis=1)
        self._moves = (self._size_bits > 0) & ~stalled
        done = self._done()
        if done.any():
            self._moves = done
            self._end = self._now
        elif self._moves.any():
            self._end = self._now + self._time_to_go()
        else:
            self._end = np.inf

    def _time_to_go(self) -> float:
        crossed = self._links_SR[self._moves]
        weights = np.repeat(self._left_bits[self._moves], crossed.shape[1])
        used = crossed.ravel() >= 0
        count = len(self._capacity_bps)
        load_bits = np.bincount(crossed.ravel()[used], weights[used], minlength=count)
        busy = load_bits > 0
        return float((load_bits[busy] / self._capacity_bps[busy]).max())

    def _done(self) -> npt.NDArray[np.bool_]:
        done: npt.NDArray[np.bool_] = (self._size_bits > 0) & (
            self._left_bits <= ROUNDING * self._size_bits
        )
        return done

    def _give(self, slots: Int64) -> None:
        self._size_bits[slots] = 0
        self._left_bits[slots] = 0.0
        self._moves[slots] = False
        self._slots.give(slots)
        self._changed = True

    def _reserve(self, slots: int, hops: int) -> None:
        old, width = self._links_SR.shape
        if slots > old or hops > width:
            size = max(slots, 2 * old) if slots > old else old
            links = np.full((size, max(hops, width)), -1, np.int64)
            links[:old, :width] = self._links_SR
            self._links_SR = links
            self._size_bits = np.concatenate([self._size_bits, np.zeros(size - old, np.int64)])
            self._left_bits = np.concatenate([self._left_bits, np.zeros(size - old)])
            self._moves = np.concatenate([self._moves, np.zeros(size - old, np.bool_)])
