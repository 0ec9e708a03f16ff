"""Max-min fair sharing the plain way: fill the whole component again at every change."""

import heapq
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar, final

Number = TypeVar("Number", float, Fraction)


@dataclass(slots=True)
class _Flow(Generic[Number]):
    route: tuple[int, ...]
    size_bits: int
    left_bits: Number
    settled_s: Number
    rate_bps: Number
    weight: Number
    stamp: int = 0  # of its valid entry among the finishes


@final
class Filling(Generic[Number]):
    """Progressive filling (Bertsekas and Gallager, Data Networks, 1992, section 6.5.2).

    Everything is of one kind of number: ``float`` for use, ``fractions.Fraction`` for exact
    results.  ``tie`` is the part of the time now within which completions are one event and
    ``rounding`` the part of its size by which a count of bits may be off; both are 0 for
    fractions.  The methods are those of ``Sharing``, with lists instead of arrays.
    """

    def __init__(
        self,
        capacity_bps: Iterable[Number],
        number: Callable[[int], Number],
        tie: Number,
        rounding: Number,
    ) -> None:
        self._capacity_bps: list[Number] = list(capacity_bps)
        self._number: Callable[[int], Number] = number
        self._tie: Number = tie
        self._rounding: Number = rounding
        self._now: Number = number(0)
        self._flows: dict[int, _Flow[Number]] = {}
        self._free: list[int] = []
        self._crossing: list[dict[int, None]] = [{} for _ in self._capacity_bps]
        self._changed: dict[int, None] = {}
        self._finishes: list[tuple[Number | float, int, int]] = []
        self._stamp = 0

    def start(
        self,
        now: Number,
        bits: Sequence[int],
        routes: Sequence[Sequence[int]],
        weights: Sequence[Number] | None = None,
    ) -> list[int]:
        self._advance(now)
        slots = []
        given = [self._number(1)] * len(bits) if weights is None else weights
        for size, route, weight in zip(bits, routes, given, strict=True):
            assert size > 0
            assert 0 < weight < math.inf
            assert 0 < len(route) == len(set(route))
            assert 0 <= min(route) <= max(route) < len(self._capacity_bps)
            slot = self._free.pop() if self._free else len(self._flows)
            left, rest = self._number(size), self._number(0)
            self._flows[slot] = _Flow(tuple(route), size, left, now, rest, weight)
            for link in route:
                self._crossing[link][slot] = None
                self._changed[link] = None
            slots.append(slot)
        return slots

    def set_capacity(
        self, now: Number, links: Sequence[int], capacity_bps: Sequence[Number]
    ) -> None:
        self._advance(now)
        for link, capacity in zip(links, capacity_bps, strict=True):
            assert 0 <= capacity < math.inf
            self._capacity_bps[link] = capacity
            self._changed[link] = None

    def abort(self, now: Number, slots: Sequence[int]) -> list[int]:
        sent = self.sent(now, slots)
        for slot in slots:
            self._end(slot)
        return sent

    def add_links(self, capacity_bps: Iterable[Number]) -> int:
        first = len(self._capacity_bps)
        self._capacity_bps += capacity_bps
        self._crossing += [{} for _ in self._capacity_bps[first:]]
        return first

    def next_completion(self) -> Number | float:
        self._solve()
        return self._earliest()

    def complete(self, now: Number) -> list[int]:
        self._advance(now)
        ended = []
        while self._earliest() <= now + self._tie * now:
            slot = self._finishes[0][2]
            self._end(slot)
            ended.append(slot)
        return sorted(ended)

    def sent(self, now: Number, slots: Sequence[int]) -> list[int]:
        self._advance(now)
        sent = []
        for flow in (self._flows[slot] for slot in slots):
            bits = flow.size_bits - self._left(flow) + self._rounding * flow.size_bits
            sent.append(min(max(math.floor(bits), 0), flow.size_bits))
        return sent

    def rate(self, slots: Sequence[int]) -> list[Number]:
        self._solve()
        return [self._flows[slot].rate_bps for slot in slots]

    def _advance(self, now: Number) -> None:
        if now > self._now:
            self._solve()
            self._now = now
        assert now == self._now

    def _earliest(self) -> Number | float:
        heap = self._finishes
        while heap:
            finish, stamp, slot = heap[0]
            if slot in self._flows and self._flows[slot].stamp == stamp:
                return finish
            heapq.heappop(heap)  # the flow ended or its finish moved
        return math.inf

    def _end(self, slot: int) -> None:
        for link in self._flows.pop(slot).route:
            del self._crossing[link][slot]
            self._changed[link] = None
        self._free.append(slot)

    def _left(self, flow: _Flow[Number]) -> Number:
        return flow.left_bits - flow.rate_bps * (self._now - flow.settled_s)

    def _solve(self) -> None:
        if self._changed:
            for slot, rate in self._fill(self._component()).items():
                flow = self._flows[slot]
                if rate != flow.rate_bps:
                    self._settle(slot, flow, rate)
            self._changed = {}

    def _component(self) -> list[int]:
        """The links that hang together with the changed ones."""
        links = list(self._changed)
        seen = set(links)
        for link in links:  # grows while it is walked
            for slot in self._crossing[link]:
                for other in self._flows[slot].route:
                    if other not in seen:
                        seen.add(other)
                        links.append(other)
        return links

    def _fill(self, links: list[int]) -> dict[int, Number]:
        """The rates of all flows on ``links``, filled from zero in proportion to their weights."""
        residual = {link: self._capacity_bps[link] for link in links}
        unset = {link: len(self._crossing[link]) for link in links}
        weight = {link: self._weight(link) for link in links}
        heap = [(residual[link] / weight[link], link) for link in links if unset[link]]
        heapq.heapify(heap)
        rates: dict[int, Number] = {}
        while heap:
            level, link = heapq.heappop(heap)
            if unset[link] == 0:
                continue
            share = max(residual[link], self._number(0)) / weight[link]
            if share > level:
                heapq.heappush(heap, (share, link))
                continue
            for slot in self._crossing[link]:
                if slot not in rates:
                    flow = self._flows[slot]
                    rates[slot] = share * flow.weight
                    for other in flow.route:
                        residual[other] -= rates[slot]
                        weight[other] -= flow.weight
                        unset[other] -= 1
        return rates

    def _weight(self, link: int) -> Number:
        """That of all flows on ``link`` together."""
        return sum((self._flows[slot].weight for slot in self._crossing[link]), self._number(0))

    def _settle(self, slot: int, flow: _Flow[Number], rate_bps: Number) -> None:
        flow.left_bits = self._left(flow)
        flow.settled_s = self._now
        flow.rate_bps = rate_bps
        finish: Number | float = math.inf
        if rate_bps > 0:
            finish = self._now + max(flow.left_bits, self._number(0)) / rate_bps
        elif flow.left_bits <= self._rounding * flow.size_bits:
            finish = self._now
        self._stamp += 1
        flow.stamp = self._stamp
        heapq.heappush(self._finishes, (finish, self._stamp, slot))
