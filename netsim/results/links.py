"""What links carried: in whole rounds, and between any two instants.

Bits of a transfer count on every link of its route, those of an aborted one as far as they were
sent.  Where traces change the rate of a link during a round, its rate is the mean.  Traffic that
has no transfer of its own (acknowledgements of ``transport: tcp``) is left out.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from netsim.network.room import room_bits
from netsim.network.topology import Topology
from netsim.results.critical import Span
from netsim.results.explanation import Float64, Int64, LinkUse
from netsim.results.records import DELIVERED, Transfers

_BLOCK = 2**20


def link_use(transfers: Transfers, topology: Topology, spans: Sequence[Span]) -> LinkUse:
    """What every link carried in each of the rounds ``spans``.

    Where rounds overlap, a round lasts from its first send on, so that its bits fit its time.
    """
    capacity_bps_L = topology.capacity_bps_L
    rows_of = dict(_rows_by_round(transfers))
    found = []
    for span in spans:
        rows = rows_of.get(span.round, np.zeros(0, np.intp))
        bits_L = _bits(transfers, topology, rows, len(capacity_bps_L))
        links = np.flatnonzero(bits_L)
        start_s = transfers.start_s[rows].min(initial=span.start_s)
        length_s = transfers.end_s[rows].max(initial=span.end_s) - start_s
        number = np.full(len(links), span.round)
        rate_bps = _mean_rates_bps(topology, links, start_s, start_s + length_s)
        found.append((number, links, bits_L[links], rate_bps, np.full(len(links), length_s)))
    if not found:
        return LinkUse.none()
    number, links, bits, rate_bps, length_s = map(np.concatenate, zip(*found, strict=True))
    used, place = np.unique(links, return_inverse=True)
    names = tuple(topology.link_name(link) for link in used.tolist())
    return LinkUse(names, number, place, bits, rate_bps, length_s)


def _mean_rates_bps(topology: Topology, links: Int64, start_s: float, end_s: float) -> Float64:
    """The rate of each link from ``start_s`` to ``end_s``: the mean where a trace changes it."""
    if not topology.traces or end_s <= start_s:
        return topology.capacity_bps_L[links]
    from_s, to_s = np.full(len(links), start_s), np.full(len(links), end_s)
    return room_bits(topology, links, from_s, to_s) / (end_s - start_s)


def _rows_by_round(transfers: Transfers) -> Iterator[tuple[int, Int64]]:
    rows = np.flatnonzero(transfers.on_link)
    rows = rows[np.argsort(transfers.round[rows], kind="stable")]
    numbers, firsts = np.unique(transfers.round[rows], return_index=True)
    yield from zip(numbers.tolist(), np.split(rows, firsts[1:]), strict=False)


def _bits(transfers: Transfers, topology: Topology, rows: Int64, links: int) -> Int64:
    """Bits that transfers moved over each link."""
    bits_L = np.zeros(links, np.int64)
    for block in np.split(rows, range(_BLOCK, len(rows), _BLOCK)):
        ptr, over = topology.routes(transfers.sender[block], transfers.receiver[block])
        np.add.at(bits_L, over, np.repeat(transfers.sent_bits[block], np.diff(ptr)))
    return bits_L


class Loads:
    """Bits over some links between any two instants.

    A transfer's bits count as spread evenly from its start to when its last bit left, so that
    over a time that cuts through transfers the bits are an estimate.  Bits that left at once
    (over links without a limit) keep no link busy and do not count.
    """

    def __init__(self, transfers: Transfers, topology: Topology, links: Int64) -> None:
        wanted_L = np.zeros(len(topology.capacity_bps_L), bool)
        wanted_L[links] = True
        self._curves: dict[int, tuple[Float64, Float64]] = {}
        over, rows = _crossings(transfers, topology, wanted_L)
        start_s, left_s = transfers.start_s[rows], _left_s(transfers, topology, rows)
        lasting = left_s > start_s
        over, start_s, left_s = over[lasting], start_s[lasting], left_s[lasting]
        bits = transfers.sent_bits[rows[lasting]]
        for link, at in _groups(over):
            self._curves[link] = _curve(start_s[at], left_s[at], bits[at])

    def bits(self, link_E: Int64, start_s_E: Float64, end_s_E: Float64) -> Float64:
        """Bits over each link between its start and its end; shapes [E]."""
        bits_E = np.zeros(len(link_E))
        for link, at in _groups(link_E):
            if link in self._curves:
                times_s, total = self._curves[link]
                until = np.interp(end_s_E[at], times_s, total)
                bits_E[at] = until - np.interp(start_s_E[at], times_s, total)
        return np.maximum(bits_E, 0.0)


def _crossings(transfers: Transfers, topology: Topology, wanted_L: Int64) -> tuple[Int64, Int64]:
    """Links and rows of all transfers that cross a wanted link, with any bits."""
    moving = np.flatnonzero(transfers.on_link & (transfers.sent_bits > 0))
    found = [(moving[:0], moving[:0])]
    for block in np.split(moving, range(_BLOCK, len(moving), _BLOCK)):
        ptr, over = topology.routes(transfers.sender[block], transfers.receiver[block])
        kept = wanted_L[over]
        found.append((over[kept], np.repeat(block, np.diff(ptr))[kept]))
    links, rows = zip(*found, strict=True)
    return np.concatenate(links), np.concatenate(rows)


def _left_s(transfers: Transfers, topology: Topology, rows: Int64) -> Float64:
    """When the last bit of transfers left, at the earliest when they started."""
    latency_s = topology.path_latency_s(transfers.sender[rows], transfers.receiver[rows])
    latency_s = np.where(transfers.status[rows] == DELIVERED, latency_s, 0.0)
    return np.maximum(transfers.start_s[rows], transfers.end_s[rows] - latency_s)


def _groups(keys: Int64) -> Iterator[tuple[int, Int64]]:
    """Each key with the places where it stands."""
    order = np.argsort(keys, kind="stable")
    values, firsts = np.unique(keys[order], return_index=True)
    yield from zip(values.tolist(), np.split(order, firsts[1:]), strict=False)


def _curve(start_s: Float64, end_s: Float64, bits: Int64) -> tuple[Float64, Float64]:
    """Instants, and the bits until each of them: straight lines in between."""
    rate_bps = bits / (end_s - start_s)
    times_s = np.concatenate([start_s, end_s])
    order = np.argsort(times_s, kind="stable")
    times_s = times_s[order]
    slope_bps = np.cumsum(np.concatenate([rate_bps, -rate_bps])[order])
    total = np.zeros(len(times_s))
    np.cumsum(slope_bps[:-1] * np.diff(times_s), out=total[1:])
    return times_s, total
