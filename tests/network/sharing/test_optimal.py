"""Rates that attain the phase bound."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from netsim.network.sharing.base import Float64, Int64
from netsim.network.sharing.max_min import MaxMin
from netsim.network.sharing.optimal import Optimal
from netsim.network.sharing.play import Case, play

Start = Callable[..., Int64]


def one_phase(case: Case) -> Case:
    """The same transfers, all started at once over capacities that do not change."""
    none = np.zeros(0, np.int64)
    start_s = np.zeros(len(case.bits))
    routes = case.route_ptr, case.route_links
    return Case(case.capacity_bps, case.bits, *routes, start_s, np.zeros(0), none, np.zeros(0))


def phase_bound_s(case: Case) -> float:
    """Max over links of the bits through it over its capacity."""
    load: Float64 = np.zeros(len(case.capacity_bps))
    for i, bits in enumerate(case.bits):
        for link in case.route_links[case.route_ptr[i] : case.route_ptr[i + 1]]:
            load[link] += bits
    return float((load / case.capacity_bps).max())


@pytest.mark.parametrize("seed", range(20))
def test_attains_the_bound_that_max_min_cannot_beat(
    random_case: Callable[..., Case], seed: int
) -> None:
    """All transfers of a phase end at the bound; max-min ends no earlier."""
    case = one_phase(random_case(seed, 3 + seed, 40))
    bound_s = phase_bound_s(case)
    optimal_s = play(case, Optimal(case.capacity_bps))
    np.testing.assert_allclose(optimal_s, bound_s, rtol=1e-9)
    assert play(case, MaxMin(case.capacity_bps)).max() >= bound_s * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_no_link_is_over_capacity_and_bits_are_conserved(
    random_case: Callable[..., Case], seed: int
) -> None:
    """With starts and changes of capacity in between, no link carries more than it can."""
    case = random_case(seed, 10, 40)
    finish_s = play(case, Optimal(case.capacity_bps))
    ended = np.isfinite(finish_s)
    assert ended.any()
    for link in range(10):
        changes = case.change_link == link
        times = np.concatenate([[0.0], case.change_s[changes]])
        values = np.concatenate([[case.capacity_bps[link]], case.change_bps[changes]])
        order = np.argsort(times, kind="stable")
        times, values = times[order], values[order]
        crossing = [
            i
            for i in np.flatnonzero(ended)
            if link in case.route_links[case.route_ptr[i] : case.route_ptr[i + 1]]
        ]
        last = max((finish_s[i] for i in crossing), default=0.0)
        spans = np.diff(np.minimum(np.append(times, last), last))
        assert case.bits[crossing].sum() <= (spans * values).sum() * (1 + 1e-9)


def test_later_starts_share_what_is_left(start: Start) -> None:
    """A start in between makes a new common end for all that is left."""
    sharing = Optimal(np.array([10.0, 10.0]))
    a, b = start(sharing, 0.0, [(100, [0]), (50, [0, 1])]).tolist()
    assert sharing.next_completion() == 15.0
    (c,) = start(sharing, 6.0, [(120, [1])]).tolist()
    assert sharing.sent(6.0, np.array([a, b])).tolist() == [40, 20]
    assert sharing.next_completion() == pytest.approx(21.0)
    assert sharing.rate(np.array([a, b, c])).tolist() == pytest.approx([4.0, 2.0, 8.0])
    assert sharing.complete(sharing.next_completion()).tolist() == sorted([a, b, c])


def test_a_link_without_capacity_holds_up_only_what_crosses_it(start: Start) -> None:
    """Stalled transfers get no rate and the others end as if alone."""
    sharing = Optimal(np.array([10.0, 0.0]))
    a, b = start(sharing, 0.0, [(100, [0]), (100, [0, 1])]).tolist()
    assert sharing.rate(np.array([a, b])).tolist() == [10.0, 0.0]
    assert sharing.complete(sharing.next_completion()).tolist() == [a]
    assert sharing.next_completion() == math.inf
    sharing.set_capacity(20.0, np.array([1]), np.array([50.0]))
    assert sharing.next_completion() == 30.0


def test_changes_at_the_instant_of_an_end_do_not_hold_it_up(start: Start) -> None:
    """What is done ends though a start and a failure come first, even late in a run."""
    sharing = Optimal(np.array([10.0]))
    (a,) = start(sharing, 1e6, [(1, [0])]).tolist()
    due = sharing.next_completion()
    (b,) = start(sharing, due, [(100, [0])]).tolist()
    sharing.set_capacity(due, np.array([0]), np.array([0.0]))
    assert sharing.next_completion() == due
    assert sharing.complete(due).tolist() == [a]
    assert sharing.next_completion() == math.inf
    assert sharing.abort(due + 1, np.array([b])).tolist() == [0]


def test_a_start_at_the_instant_of_an_end_is_not_ended_with_it(start: Start) -> None:
    """Only what is done ends, though rates were asked for in between."""
    sharing = Optimal(np.array([10.0]))
    (a,) = start(sharing, 0.0, [(100, [0])]).tolist()
    (b,) = start(sharing, 10.0, [(100, [0])]).tolist()
    assert sharing.next_completion() == 10.0
    assert sharing.complete(10.0).tolist() == [a]
    assert sharing.next_completion() == 20.0
    assert sharing.complete(20.0).tolist() == [b]


def test_abort_frees_the_slot_and_the_rate(start: Start) -> None:
    """The whole bits sent are told; the rest ends earlier."""
    sharing = Optimal(np.array([10.0]))
    a, b = start(sharing, 0.0, [(100, [0]), (33, [0])]).tolist()
    assert sharing.abort(6.65, np.array([b])).tolist() == [16]
    assert sharing.next_completion() == pytest.approx(6.65 + 5.0)
    assert start(sharing, 7.0, [(10, [0])]).tolist() == [b]
    assert sharing.complete(sharing.next_completion()).tolist() == sorted([a, b])


def test_links_may_be_added(start: Start) -> None:
    """New links get the next numbers."""
    sharing = Optimal(np.array([10.0]))
    assert sharing.add_links(np.array([5.0])) == 1
    start(sharing, 0.0, [(10, [0, 1])])
    assert sharing.next_completion() == 2.0
