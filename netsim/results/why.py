"""Why each round of a run took its time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from netsim.network.room import room_bits
from netsim.network.topology import Topology
from netsim.results.critical import WAIT, History, Leg, Span
from netsim.results.explanation import (
    COMPUTATION,
    TRANSFER,
    WAITING,
    Bottleneck,
    Explanation,
    Float64,
    Int64,
    Piece,
)
from netsim.results.links import Loads
from netsim.results.records import ABORTED, DELIVERED, STATUSES, Computations, Transfers

Name = Callable[[int], str]


def explain(
    transfers: Transfers, computations: Computations, topology: Topology, spans: Sequence[Span]
) -> list[Explanation]:
    """The explanation of each of the rounds ``spans``."""
    history = History(transfers, computations, topology)
    paths = [history.path(span) for span in spans]
    moving = [leg for path in paths for leg in path if 0 <= leg.row < len(transfers)]
    crossings = iter(_crossings(moving, transfers, topology))
    name = cache(topology.link_name)
    explained = []
    for path in paths:
        pieces, crossed = [], []
        for leg in path:
            if 0 <= leg.row < len(transfers):
                crossed.append(next(crossings))
                pieces.append(_transfer(leg, transfers, crossed[-1], name))
            else:
                pieces.append(_still(leg, transfers, computations))
        explained.append(Explanation(_told_again(pieces), _bottleneck(crossed, name)))
    return explained


@dataclass(frozen=True)
class _Crossing:
    """A transfer's route: its links [E] and the share of ``time_s`` that each was busy [E]."""

    time_s: float
    latency_s: float
    links: Int64
    busy: Float64

    def busiest(self) -> int:
        """The place of the busiest link; of equals the first on the way."""
        return int(np.argmax(self.busy >= self.busy.max() - _EQUAL))


_EQUAL = 1e-9
"""Shares that differ by less are equal."""


def _crossings(legs: Sequence[Leg], transfers: Transfers, topology: Topology) -> list[_Crossing]:
    rows = np.array([leg.row for leg in legs], np.int64)
    start_s, end_s = np.array([(leg.start_s, leg.end_s) for leg in legs]).reshape(-1, 2).T
    ptr, links = topology.routes(transfers.sender[rows], transfers.receiver[rows])
    hops = np.diff(ptr)
    from_s, to_s = np.repeat(start_s, hops), np.repeat(end_s, hops)
    bits = Loads(transfers, topology, links).bits(links, from_s, to_s)
    room = room_bits(topology, links, from_s, to_s)
    busy = np.divide(bits, room, out=(bits > 0).astype(np.float64), where=room > 0)
    np.minimum(busy, 1.0, out=busy)
    times_s = (end_s - start_s).tolist(), _latency_s(legs, transfers, topology).tolist()
    parts = np.split(links, ptr[1:-1]), np.split(busy, ptr[1:-1])
    return [_Crossing(*each) for each in zip(*times_s, *parts, strict=False)]


def _latency_s(legs: Sequence[Leg], transfers: Transfers, topology: Topology) -> Float64:
    """How much of each leg is after the last bit had left; 0 where it was cut short."""
    rows = np.array([leg.row for leg in legs], np.int64)
    whole = (transfers.status[rows] == DELIVERED) & np.array([leg.arrived for leg in legs], bool)
    path_s = topology.path_latency_s(transfers.sender[rows], transfers.receiver[rows])
    longest_s = np.array([leg.end_s - leg.start_s for leg in legs])
    return np.where(whole, np.minimum(path_s, longest_s), 0.0)


def _transfer(leg: Leg, transfers: Transfers, crossing: _Crossing, name: Name) -> Piece:
    row, t, at = leg.row, transfers, crossing.busiest()
    return Piece(
        what=TRANSFER,
        start_s=leg.start_s,
        end_s=leg.end_s,
        sender=t.node_names[t.sender[row]],
        receiver=t.node_names[t.receiver[row]],
        kind=t.kinds[t.kind[row]].name,
        status=STATUSES[t.status[row]],
        bits=int(t.sent_bits[row]),
        latency_s=crossing.latency_s,
        link=name(int(crossing.links[at])),
        utilisation=float(crossing.busy[at]),
    )


def _still(leg: Leg, transfers: Transfers, computations: Computations) -> Piece:
    if leg.row == WAIT:
        return Piece(WAITING, leg.start_s, leg.end_s)
    node = computations.node[leg.row - len(transfers)]
    return Piece(COMPUTATION, leg.start_s, leg.end_s, transfers.node_names[node])


def _told_again(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces; waiting between two attempts at a message names the message."""
    told = list(pieces)
    for at, (before, piece, after) in enumerate(zip(told, told[1:], told[2:], strict=False), 1):
        again = before.status == STATUSES[ABORTED] and _message(before) == _message(after)
        if piece.what == WAITING and again:
            told[at] = replace(piece, sender=after.sender, receiver=after.receiver, kind=after.kind)
    return tuple(told)


def _message(piece: Piece) -> tuple[str | None, ...]:
    return piece.sender, piece.receiver, piece.kind


def _bottleneck(crossings: Sequence[_Crossing], name: Name) -> Bottleneck | None:
    """The link that was busy longest, all pieces through it together; of equals the first."""
    time_s: dict[int, float] = {}
    busy_s: dict[int, float] = {}
    for crossing in crossings:
        for link, busy in zip(crossing.links.tolist(), crossing.busy.tolist(), strict=True):
            time_s[link] = time_s.get(link, 0.0) + crossing.time_s
            busy_s[link] = busy_s.get(link, 0.0) + busy * crossing.time_s
    if not busy_s:
        return None
    most_s = max(busy_s.values())
    link = next(each for each, busy in busy_s.items() if busy >= most_s * (1 - _EQUAL))
    share = min(1.0, busy_s[link] / time_s[link])
    return Bottleneck(name(link), share, time_s[link])
