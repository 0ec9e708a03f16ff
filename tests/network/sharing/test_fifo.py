"""One transfer at a time per uplink."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from netsim.network.sharing.base import Int64
from netsim.network.sharing.fifo import Fifo
from netsim.network.sharing.max_min import MaxMin
from netsim.network.sharing.play import Case, play

Start = Callable[..., Int64]


def fifo(*capacity_bps: float) -> Fifo:
    return Fifo(MaxMin(np.array(capacity_bps)))


def ends(sharing: Fifo) -> list[tuple[float, list[int]]]:
    """All completions to come."""
    found = []
    while (due := sharing.next_completion()) < math.inf:
        found.append((due, sharing.complete(due).tolist()))
    return found


def test_an_uplink_serves_in_order_of_start(start: Start) -> None:
    """Whole rate for the first, then for the second, whatever their sizes."""
    sharing = fifo(10.0, 10.0, 10.0)
    a, b = start(sharing, 0.0, [(100, [0, 1]), (50, [0, 2])]).tolist()
    (c,) = start(sharing, 1.0, [(10, [0, 1])]).tolist()
    assert sharing.rate(np.array([a, b, c])).tolist() == [10.0, 0.0, 0.0]
    assert ends(sharing) == [(10.0, [a]), (15.0, [b]), (16.0, [c])]


def test_uplinks_share_a_downlink_max_min(start: Start) -> None:
    """Only the first of each uplink takes part."""
    sharing = fifo(10.0, 4.0, 12.0)
    slots = start(sharing, 0.0, [(80, [0, 2]), (40, [1, 2]), (80, [0, 2])])
    assert sharing.rate(slots).tolist() == [8.0, 4.0, 0.0]
    assert ends(sharing) == [(10.0, slots[:2].tolist()), (18.0, [slots[2]])]


def test_abort_gives_the_turn_to_the_next(start: Start) -> None:
    """One that waits and one that moves are aborted; the rest goes on in order."""
    sharing = fifo(10.0)
    a, b, c, d = start(sharing, 0.0, [(100, [0])] * 4).tolist()
    assert sharing.abort(1.0, np.array([b])).tolist() == [0]
    assert sharing.abort(2.5, np.array([c, a])).tolist() == [0, 25]
    assert sharing.sent(3.5, np.array([d])).tolist() == [10]
    assert ends(sharing) == [(12.5, [d])]


def test_slots_are_used_again(start: Start) -> None:
    """A slot that is free again may wait in a queue where it stood before."""
    sharing = fifo(10.0)
    a, b = start(sharing, 0.0, [(100, [0])] * 2).tolist()
    sharing.abort(0.0, np.array([b]))
    (c,) = start(sharing, 0.0, [(30, [0])]).tolist()
    assert c == b
    assert ends(sharing) == [(10.0, [a]), (13.0, [c])]


def test_a_stalled_uplink_holds_its_queue(start: Start) -> None:
    """Zero capacity is never, for all that stand behind it too."""
    sharing = fifo(0.0, 10.0)
    slots = start(sharing, 0.0, [(10, [0]), (10, [0, 1]), (10, [1])])
    assert ends(sharing) == [(1.0, [slots[2]])]
    sharing.set_capacity(5.0, np.array([0]), np.array([1.0]))
    assert ends(sharing) == [(15.0, [slots[0]]), (25.0, [slots[1]])]


@pytest.mark.parametrize("seed", range(5))
def test_at_most_one_moves_per_uplink(random_case: Callable[..., Case], seed: int) -> None:
    """On random networks: every transfer ends, and those of an uplink in order of start."""
    case = random_case(seed, 8, 60)
    still = Case(
        case.capacity_bps, case.bits, case.route_ptr, case.route_links, case.start_s,
        np.zeros(0), np.zeros(0, np.int64), np.zeros(0),
    )  # fmt: skip
    finish_s = play(still, Fifo(MaxMin(case.capacity_bps)))
    uplink = case.route_links[case.route_ptr[:-1]]
    for link in range(8):
        queue = np.flatnonzero(uplink == link)
        queue = queue[np.argsort(case.start_s[queue], kind="stable")]
        assert (np.diff(finish_s[queue]) > 0).all()
        least_s = case.bits[queue] / case.capacity_bps[link]
        free_s = np.concatenate([[0.0], finish_s[queue][:-1]])
        begun_s = np.maximum(free_s, case.start_s[queue])
        assert (finish_s[queue] >= (begun_s + least_s) * (1 - 1e-9)).all()
