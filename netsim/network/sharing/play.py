"""Play transfers whose starts are known beforehand on a way of sharing links."""

import math
from dataclasses import dataclass

import numpy as np

from netsim.network.sharing.base import TIE, Float64, Int64, Sharing


@dataclass(frozen=True, eq=False)
class Case:
    """m transfers over links with capacities, and q changes of capacity.

    Transfer i crosses ``route_links[route_ptr[i]:route_ptr[i + 1]]`` and moves ``bits[i]``,
    with ``weights[i]`` if there are any.
    """

    capacity_bps: Float64
    bits: Int64
    route_ptr: Int64
    route_links: Int64
    start_s: Float64
    change_s: Float64
    change_link: Int64
    change_bps: Float64
    weights: Float64 | None = None


def play(case: Case, sharing: Sharing) -> Float64:
    """When each transfer of ``case`` ends, inf if it never does.

    ``sharing`` has the links of the case and nothing on them.
    """
    finish_s = np.full(len(case.bits), np.inf)
    starts, changes = _Instants(case.start_s), _Instants(case.change_s)
    transfer_of_slot = np.zeros(0, np.int64)
    while True:
        due = sharing.next_completion()
        now = min(due, starts.next_s, changes.next_s)
        if now == math.inf:
            return finish_s
        if due <= now + TIE * now:
            finish_s[transfer_of_slot[sharing.complete(now)]] = now
        if changes.next_s == now:
            which = changes.take()
            sharing.set_capacity(now, case.change_link[which], case.change_bps[which])
        if starts.next_s == now:
            which = starts.take()
            slots = _start(case, sharing, now, which)
            transfer_of_slot = _reserve(transfer_of_slot, int(slots.max()) + 1)
            transfer_of_slot[slots] = which


class _Instants:
    """Groups of equal times, one after the other."""

    def __init__(self, times_s: Float64) -> None:
        self._order = np.argsort(times_s, kind="stable")
        ordered = times_s[self._order]
        bounds = np.flatnonzero(np.diff(ordered, prepend=-np.inf)).tolist()
        self._times = [*ordered[bounds].tolist(), math.inf]
        self._bounds = [*bounds, len(ordered)]
        self._next = 0
        self.next_s: float = self._times[0]

    def take(self) -> Int64:
        """Which of the times are the next one; the group after it is next then."""
        first, self._next = self._next, self._next + 1
        self.next_s = self._times[self._next]
        return self._order[self._bounds[first] : self._bounds[first + 1]]


def _start(case: Case, sharing: Sharing, now: float, which: Int64) -> Int64:
    begin = case.route_ptr[which]
    lengths = case.route_ptr[which + 1] - begin
    ptr = np.zeros(len(which) + 1, np.int64)
    np.cumsum(lengths, out=ptr[1:])
    hops = np.repeat(begin - ptr[:-1], lengths) + np.arange(ptr[-1])
    weights = None if case.weights is None else case.weights[which]
    return sharing.start(now, case.bits[which], ptr, case.route_links[hops], weights)


def _reserve(array: Int64, size: int) -> Int64:
    if size <= len(array):
        return array
    return np.concatenate([array, np.zeros(max(size, 2 * len(array)) - len(array), np.int64)])
