"""The least time of a round whose phases nothing keeps apart."""

from collections.abc import Iterator

import numpy as np

from netsim.network.topology import Int64, Topology
from netsim.results.records import Transfers
from netsim.studies.records import bound_s, phase_rows

SAME_INSTANT = 1e-9


def free_bound_s(transfers: Transfers, topology: Topology) -> float:
    """A time that no schedule of one round's transfers beats, barrier or not.

    Every link has to carry all that crosses it, whenever that is; and a node that sends
    messages of one kind only when it has all of another needs the phase bound of what it gets
    and then that of what it sends.  Assumes fluid transfers, constant rates and no latency.
    It may lie below what can be reached.  0 without transfers.
    """
    phases = phase_rows(transfers)
    if not phases:
        return 0.0
    whole_s = bound_s(transfers, topology, np.concatenate(phases))
    relays = (
        bound_s(transfers, topology, got) + bound_s(transfers, topology, sent)
        for first, second in _following(transfers, phases)
        for got, sent in _relays(transfers, first, second)
    )
    return max(whole_s, max(relays, default=0.0))


def _following(transfers: Transfers, phases: list[Int64]) -> Iterator[tuple[Int64, Int64]]:
    """Pairs of phases of which the same role gets the first and sends the second, later."""
    for first in phases:
        for second in phases:
            getting = transfers.kinds[transfers.kind[first[0]]].receiver_role
            sending = transfers.kinds[transfers.kind[second[0]]].sender_role
            later = transfers.start_s[first].min() < transfers.start_s[second].min()
            if later and getting == sending:
                yield first, second


def _relays(transfers: Transfers, first: Int64, second: Int64) -> Iterator[tuple[Int64, Int64]]:
    """By node what it gets in the first phase and sends in the second, where all nodes wait.

    A node that was seen to send before it had all it gets shows that its role does not wait.
    """
    nodes = np.intersect1d(transfers.receiver[first], transfers.sender[second])
    found = []
    for node in nodes:
        got = first[transfers.receiver[first] == node]
        sent = second[transfers.sender[second] == node]
        ready_s, begun_s = transfers.end_s[got].max(), transfers.start_s[sent].min()
        if begun_s < ready_s - SAME_INSTANT * max(1.0, ready_s):
            return
        found.append((got, sent))
    yield from found
