"""Max-min fair sharing, exact, compiled: every rate is as high as no slower one forbids."""

from typing import final

import numpy as np

from netsim.network.sharing import kernel_changes, kernel_entry, storage
from netsim.network.sharing.base import TIE, Float64, Int64, Sharing
from netsim.network.sharing.kernel_state import LINKS, TOUCHED

LATE = 1e-9
_NONE = np.zeros(0)


@final
class MaxMin(Sharing):
    """Max-min fair rates (Bertsekas and Gallager, Data Networks, 1992, section 6.5.2), in
    proportion to the transfers' weights where there are any.

    A change moves only rates in the part of the network it hangs together with, and only
    those at or above the level at which it can be felt; the rest is not looked at.
    """

    def __init__(self, capacity_bps: Float64) -> None:
        self._state = storage.empty_state(np.asarray(capacity_bps, np.float64))
        self._now = 0.0
        self._next = np.inf
        self._changed = False

    def start(
        self,
        now: float,
        bits: Int64,
        route_ptr: Int64,
        route_links: Int64,
        weights: Float64 | None = None,
    ) -> Int64:
        self._advance(now)
        bits, ptr, links = _integers(bits), _integers(route_ptr), _integers(route_links)
        given = _NONE if weights is None else np.ascontiguousarray(weights, np.float64)
        assert len(ptr) == len(bits) + 1
        assert weights is None or len(given) == len(bits)
        slots = np.empty(len(bits), np.int64)
        if len(bits) == 0:
            return slots
        kernel_changes.check(bits, ptr, links, given, self._state.counts.item(LINKS))
        self._reserve(len(bits), int(np.diff(ptr).max()))
        if len(given):
            self._state = storage.with_weights(self._state)
        while lacking := kernel_entry.start(now, bits, ptr, links, given, slots, *self._state):
            self._state = storage.with_places(self._state, lacking)
        self._changed = True
        return slots

    def set_capacity(self, now: float, links: Int64, capacity_bps: Float64) -> None:
        self._advance(now)
        capacity = np.ascontiguousarray(capacity_bps, np.float64)
        kernel_changes.set_capacity(self._state, _integers(links), capacity)
        self._changed = True

    def abort(self, now: float, slots: Int64) -> Int64:
        self._advance(now)
        sent = np.zeros(len(slots), np.int64)
        kernel_changes.abort(self._state, now, _integers(slots), sent)
        self._changed = True
        return sent

    def add_links(self, capacity_bps: Float64) -> int:
        first: int = self._state.counts.item(LINKS)
        self._state = storage.with_links(self._state, np.asarray(capacity_bps, np.float64))
        return first

    def next_completion(self) -> float:
        if self._changed:
            self._solve()
        return self._next

    def complete(self, now: float) -> Int64:
        if now > self._now:
            self._advance(now)
        if self._next > now + TIE * now:
            return np.empty(0, np.int64)
        state = self._state
        count = kernel_entry.complete(now, *state)
        self._next = state.finish_2S.item(1)
        self._changed = self._changed or state.counts.item(TOUCHED) > 0
        return state.list_S[:count].astype(np.int64)

    def sent(self, now: float, slots: Int64) -> Int64:
        self._advance(now)
        sent = np.zeros(len(slots), np.int64)
        kernel_changes.count_sent(self._state, now, _integers(slots), sent)
        return sent

    def rate(self, slots: Int64) -> Float64:
        if self._changed:
            self._solve()
        rates: Float64 = self._state.flows_S["rate_bps"][slots]
        return rates

    def _advance(self, now: float) -> None:
        """Let time move on to ``now``: what changed before is worked out as of then."""
        if now > self._now:
            if self._changed:
                self._solve()
            assert now <= self._next * (1 + LATE)  # a completion was passed
            self._now = now
        assert now == self._now

    def _solve(self) -> None:
        self._next = kernel_entry.solve(self._now, *self._state)
        self._changed = False

    def _reserve(self, flows: int, longest: int) -> None:
        if longest > self._state.hops_SR.shape[1]:
            self._state = storage.with_route(self._state, longest)
        slots = storage.slots_in_reach(self._state, flows)
        if slots > len(self._state.flows_S):
            self._state = storage.with_slots(self._state, slots)


def _integers(array: Int64) -> Int64:
    return np.ascontiguousarray(array, np.int64)
