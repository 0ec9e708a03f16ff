"""Critical paths: which transfers and computations, one after the other, made a round's length.

A path is walked back from what ended the round.  What allowed a transfer or a computation to
start is what ended at that instant at its host: an arrival, an abort or a computation there, or
its own last bit leaving; else, where a barrier opened, what ended at that instant anywhere.  If
nothing did, there was waiting: of a message sent again since its last attempt failed, else since
the last event at the host, else since the round's start.  Of several ends at one instant the
longest event is taken.  The cost of all paths of a run grows as sorting its events, whatever the
length of the paths.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from netsim.network.topology import Topology
from netsim.results.attempts import Attempts
from netsim.results.events import Events, tolerance_s
from netsim.results.records import ABORTED, DELIVERED, Computations, Transfers

WAIT = -1


@dataclass(frozen=True)
class Span:
    """A round, from the end of the last one to its own end."""

    round: int
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Leg:
    """A piece of a path by ``row``: a transfer, from the number of transfers on a computation.

    ``WAIT`` stands for waiting.  ``arrived`` is False where the path goes on as soon as the
    last bit of a transfer has left.
    """

    row: int
    start_s: float
    end_s: float
    arrived: bool = True


@dataclass(frozen=True)
class _Cause:
    """What ended at ``leg.end_s`` and let something go on then or later; started at ``host``."""

    leg: Leg
    host: int


class History:
    """All that ended in a run, and the paths through it."""

    def __init__(
        self, transfers: Transfers, computations: Computations, topology: Topology
    ) -> None:
        self._transfers = transfers
        self._computations = computations
        self._topology = topology

    def path(self, span: Span) -> tuple[Leg, ...]:
        """The critical path of a round in order of time, from its start to its end exactly.

        What began before the round did is cut at the round's start.
        """
        return tuple(reversed(list(self._walk(span))))

    def _walk(self, span: Span) -> Iterator[Leg]:
        """The legs from the last to the first; from ``time_s`` to ``until_s`` there is waiting."""
        time_s = until_s = span.end_s
        host, row = None, WAIT
        while time_s > span.start_s:
            cause = self._cause(time_s, host, row, span)
            if cause is None:
                break
            row, start_s, end_s = cause.leg.row, cause.leg.start_s, cause.leg.end_s
            if start_s <= span.start_s + tolerance_s(span.start_s):
                start_s = span.start_s
            if start_s < end_s:
                if end_s < until_s:
                    yield Leg(WAIT, end_s, until_s)
                yield Leg(row, start_s, end_s, cause.leg.arrived)
                until_s = start_s
            time_s, host = start_s, cause.host
        if span.start_s < until_s:
            yield Leg(WAIT, span.start_s, until_s)

    def _cause(self, time_s: float, host: int | None, row: int, span: Span) -> _Cause | None:
        """What allowed ``host`` to start ``row`` at this instant, or the round to end."""
        return (
            self._ended(time_s, host, span.round)
            or self._ended(time_s, None, span.round)
            or self._failed(row)
            or self._last(time_s, host, span)
        )

    def _ended(self, time_s: float, host: int | None, round: int) -> _Cause | None:
        """The longest of what ended at this instant at ``host``, or anywhere."""
        for events in (self._ends, self._leavings):
            at = events.at(time_s, host, round)
            if at is not None:
                start_s = float(events.start_s[at])
                leg = Leg(int(events.row[at]), start_s, time_s, events is self._ends)
                return _Cause(leg, int(events.origin[at]))
        return None

    def _failed(self, row: int) -> _Cause | None:
        """The last attempt at the same message, if it is sent again."""
        failed, t = self._attempts.before(row), self._transfers
        if failed is None:
            return None
        leg = Leg(failed, float(t.start_s[failed]), float(t.end_s[failed]))
        return _Cause(leg, int(self._topology.host_N[t.sender[failed]]))

    def _last(self, time_s: float, host: int | None, span: Span) -> _Cause | None:
        """What ended last before this instant, if it was in this round."""
        times = [
            events.latest(time_s, host, span.round, span.start_s)
            for events in (self._ends, self._leavings)
        ]
        last_s = max((each for each in times if each is not None), default=None)
        return None if last_s is None else self._ended(last_s, host, span.round)

    @cached_property
    def _attempts(self) -> Attempts:
        return Attempts(self._transfers)

    @cached_property
    def _ends(self) -> Events:
        """Arrivals at their receiver, aborts at both ends, computations at their node."""
        t, c, host_N = self._transfers, self._computations, self._topology.host_N
        moved, cut = np.flatnonzero(t.on_link), np.flatnonzero(t.status == ABORTED)
        rows = np.concatenate([moved, cut])
        at, own = np.concatenate([t.receiver[moved], t.sender[cut]]), host_N[c.node]
        return Events.sorted(
            end_s=np.concatenate([t.end_s[rows], c.end_s]),
            start_s=np.concatenate([t.start_s[rows], c.start_s]),
            host=np.concatenate([host_N[at], own]),
            origin=np.concatenate([host_N[t.sender[rows]], own]),
            round=np.concatenate([t.round[rows], c.round]),
            row=np.concatenate([rows, len(t) + np.arange(len(c.round))]),
        )

    @cached_property
    def _leavings(self) -> Events:
        """The last bits of delivered transfers, at their sender."""
        t = self._transfers
        rows = np.flatnonzero(t.status == DELIVERED)
        sender = self._topology.host_N[t.sender[rows]]
        latency_s = self._topology.path_latency_s(t.sender[rows], t.receiver[rows])
        return Events.sorted(
            end_s=t.end_s[rows] - latency_s,
            start_s=t.start_s[rows],
            host=sender,
            origin=sender,
            round=t.round[rows],
            row=rows,
        )
