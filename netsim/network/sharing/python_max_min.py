"""Max-min fair sharing in plain Python, for where numba is absent."""

from itertools import pairwise
from typing import final

import numpy as np

from netsim.network.sharing.base import ROUNDING, TIE, Float64, Int64, Sharing
from netsim.network.sharing.filling import Filling


@final
class PythonMaxMin(Sharing):
    """``Filling`` in floats behind arrays; slow, but the same rates as ``MaxMin``."""

    def __init__(self, capacity_bps: Float64) -> None:
        self._filling: Filling[float] = Filling(capacity_bps.tolist(), float, TIE, ROUNDING)

    def start(
        self,
        now: float,
        bits: Int64,
        route_ptr: Int64,
        route_links: Int64,
        weights: Float64 | None = None,
    ) -> Int64:
        links, ptr = route_links.tolist(), route_ptr.tolist()
        routes = [links[a:b] for a, b in pairwise(ptr)]
        given = None if weights is None else weights.tolist()
        return _integers(self._filling.start(now, bits.tolist(), routes, given))

    def set_capacity(self, now: float, links: Int64, capacity_bps: Float64) -> None:
        self._filling.set_capacity(now, links.tolist(), capacity_bps.tolist())

    def abort(self, now: float, slots: Int64) -> Int64:
        return _integers(self._filling.abort(now, slots.tolist()))

    def add_links(self, capacity_bps: Float64) -> int:
        return self._filling.add_links(capacity_bps.tolist())

    def next_completion(self) -> float:
        return self._filling.next_completion()

    def complete(self, now: float) -> Int64:
        return _integers(self._filling.complete(now))

    def sent(self, now: float, slots: Int64) -> Int64:
        return _integers(self._filling.sent(now, slots.tolist()))

    def rate(self, slots: Int64) -> Float64:
        return np.array(self._filling.rate(slots.tolist()), np.float64)


def _integers(values: list[int]) -> Int64:
    return np.array(values, np.int64)
