"""Max-min sharing: known answers, large cases and the life of slots."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from netsim.network.sharing import cases
from netsim.network.sharing.base import Int64, Sharing
from netsim.network.sharing.max_min import MaxMin
from netsim.network.sharing.play import Case, play
from netsim.network.sharing.python_max_min import PythonMaxMin
from netsim.network.transfers import TransferCase, finish_times, load_cases

KNOWN = load_cases(Path(__file__).parents[2] / "data" / "maxmin_cases.json")
Engine = Callable[..., Sharing]
Start = Callable[..., Int64]


@pytest.mark.parametrize("case", KNOWN, ids=range(len(KNOWN)))
def test_known_cases(max_min: Engine, case: TransferCase) -> None:
    """The reference networks end when rational arithmetic says."""
    assert case.finish_s is not None
    assert finish_times(case, max_min) == pytest.approx(case.finish_s, rel=1e-9, abs=0)


@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("links", "flows"), [(4, 60), (30, 150), (200, 150)])
def test_both_implementations_agree(
    random_case: Callable[..., Case], seed: int, links: int, flows: int, weighted: bool
) -> None:
    """Restarting at a level in one component gives what filling all of it again gives."""
    case = random_case(seed, links, flows, longest=6, weighted=weighted)
    compiled = play(case, MaxMin(case.capacity_bps))
    python = play(case, PythonMaxMin(case.capacity_bps))
    np.testing.assert_allclose(compiled, python, rtol=1e-9, atol=0)


@pytest.mark.parametrize(
    "case",
    [
        cases.star(60, 5e9),
        cases.star(60, 2e9),
        cases.poisson(8, 150),
        cases.over_routers(30, 10, 4),
    ],
    ids=["ample star", "tight star", "poisson", "routers"],
)
def test_both_implementations_agree_on_bench_inputs(case: Case) -> None:
    """The same on stars, over an inner network and with arrivals all along."""
    compiled = play(case, MaxMin(case.capacity_bps))
    python = play(case, PythonMaxMin(case.capacity_bps))
    np.testing.assert_allclose(compiled, python, rtol=1e-9, atol=0)


def test_clients_that_arrive_at_an_ample_server_do_not_meet(start: Start) -> None:
    """A link that can never be full is not looked at, until it can."""
    sharing = MaxMin(np.array([10.0, 20.0, 30.0, 100.0]))
    first = start(sharing, 0.0, [(1000, [0, 3]), (1000, [1, 3]), (1000, [2, 3])])
    assert sharing.rate(first).tolist() == [10.0, 20.0, 30.0]
    sharing.set_capacity(1.0, np.array([3]), np.array([36.0]))
    assert sharing.rate(first).tolist() == [10.0, 13.0, 13.0]
    sharing.set_capacity(2.0, np.array([3, 0]), np.array([61.0, 5.0]))
    assert sharing.rate(first).tolist() == [5.0, 20.0, 30.0]


def test_a_full_link_is_shared_by_weight(max_min: Engine, start: Start) -> None:
    """Rates as 4 : 1 : 1; what one cannot take for a slow link goes to the others as 4 : 1."""
    sharing = max_min(np.array([60.0, 6.0]))
    flows = [(1000, [0]), (1000, [0]), (1000, [0, 1])]
    slots = start(sharing, 0.0, flows, np.array([4.0, 1.0, 1.0]))
    assert sharing.rate(slots) == pytest.approx([43.2, 10.8, 6.0], rel=1e-12)
    sharing.set_capacity(1.0, np.array([1]), np.array([60.0]))
    assert sharing.rate(slots) == pytest.approx([40.0, 10.0, 10.0], rel=1e-12)
    sharing.abort(2.0, slots[1:2])
    assert sharing.rate(slots[[0, 2]]) == pytest.approx([48.0, 12.0], rel=1e-12)


def test_transfers_without_a_weight_have_weight_one(max_min: Engine, start: Start) -> None:
    """Those under way when the first weight comes, and those that come later, in its slot too."""
    sharing = max_min(np.array([60.0]))
    (first,) = start(sharing, 0.0, [(10_000, [0])]).tolist()
    heavy = start(sharing, 0.0, [(10_000, [0])], np.array([5.0]))
    assert sharing.rate(np.array([first, heavy[0]])).tolist() == [10.0, 50.0]
    sharing.abort(1.0, heavy)
    later = start(sharing, 1.0, [(10_000, [0])])
    assert later.tolist() == heavy.tolist()
    assert sharing.rate(np.array([first, later[0]])).tolist() == [30.0, 30.0]
    many = start(sharing, 1.0, [(10_000, [0])] * 100)
    assert np.unique(sharing.rate(many)) == pytest.approx([60 / 102], rel=1e-12)


def test_weights_of_one_change_no_bit(random_case: Callable[..., Case]) -> None:
    """Nor do they all being the same power of two."""
    case = random_case(1, 30, 300)
    without = play(case, MaxMin(case.capacity_bps))
    for each in (1.0, 0.25):
        same = replace(case, weights=np.full(len(case.bits), each))
        assert play(same, MaxMin(case.capacity_bps)).tolist() == without.tolist()


def test_a_small_weight_is_not_lost_among_large_ones(start: Start) -> None:
    """The last transfer on a link gets all that the others, held back elsewhere, leave."""
    weights = np.random.default_rng(0).uniform(1e5, 1e6, 1001)
    weights[-1] = 1e-3
    sharing = MaxMin(np.append(np.ones(1000), 3000.0))
    flows = [*((100, [1000, link]) for link in range(1000)), (100, [1000])]
    rates = sharing.rate(start(sharing, 0.0, flows, weights))
    assert rates[-1] == pytest.approx(2000.0, rel=1e-11)
    assert rates[:-1] == pytest.approx(np.ones(1000), rel=1e-12)


@pytest.mark.parametrize("each", [0.0, -1.0, math.inf, math.nan])
def test_weights_that_make_no_sense_are_refused(max_min: Engine, start: Start, each: float) -> None:
    """A transfer must count for something, and for no more than can be counted."""
    with pytest.raises(AssertionError):
        start(max_min(np.array([1.0])), 0.0, [(5, [0])], np.array([each]))


def test_many_small_transfers_take_the_time_of_their_sum(max_min: Engine, start: Start) -> None:
    """10,000 transfers of 100 bytes over 1 kB/s take 1000 s."""
    sharing = max_min(np.array([8000.0]))
    start(sharing, 0.0, [(800, [0])] * 10_000)
    due = sharing.next_completion()
    assert due == pytest.approx(1000.0, rel=1e-12)
    assert len(sharing.complete(due)) == 10_000


def test_a_link_without_capacity_stalls_and_comes_back(max_min: Engine, start: Start) -> None:
    """Rate 0 and no end while the capacity is 0; the rest of the bits after that."""
    sharing = max_min(np.array([10.0, 10.0]))
    slots = start(sharing, 0.0, [(100, [0]), (100, [0, 1])])
    sharing.set_capacity(4.0, np.array([1]), np.array([0.0]))
    assert sharing.rate(slots).tolist() == [10.0, 0.0]
    assert sharing.sent(4.0, slots).tolist() == [20, 20]
    assert sharing.next_completion() == pytest.approx(12.0)
    assert sharing.complete(12.0).tolist() == [slots[0]]
    assert sharing.next_completion() == math.inf
    sharing.set_capacity(100.0, np.array([1]), np.array([4.0]))
    assert sharing.next_completion() == pytest.approx(120.0)


def test_a_transfer_that_is_done_ends_though_its_link_fails_then(
    max_min: Engine, start: Start
) -> None:
    """A capacity that drops to 0 at the instant of the last bit does not hold it up."""
    sharing = max_min(np.array([10.0]))
    slots = start(sharing, 0.0, [(100, [0])])
    sharing.set_capacity(10.0, np.array([0]), np.array([0.0]))
    assert sharing.rate(slots).tolist() == [0.0]
    assert sharing.next_completion() == 10.0
    assert sharing.complete(10.0).tolist() == slots.tolist()


def test_transfers_under_way_keep_their_end_as_others_come(start: Start) -> None:
    """Arrays that grow for many more transfers elsewhere lose nothing."""
    sharing = MaxMin(np.array([10.0, 10.0]))
    (slot,) = start(sharing, 0.0, [(100, [0])]).tolist()
    start(sharing, 1.0, [(1000, [1])] * 500)
    assert sharing.next_completion() == 10.0
    assert sharing.complete(10.0).tolist() == [slot]


def test_whole_bits_are_counted_whole(max_min: Engine, start: Start) -> None:
    """A float just below a whole number of bits is that number; never more than the size."""
    sharing = max_min(np.array([100.0, 3e12]))
    slots = start(sharing, 0.0, [(32, [0]), (10**13, [1])])
    assert 100 * 0.29 < 29
    assert sharing.abort(0.29, slots[:1]).tolist() == [29]
    due = sharing.next_completion()
    assert sharing.sent(due * (1 + 9e-13), slots[1:]).tolist() == [10**13]


def test_short_transfers_end_on_time_beside_long_ones(max_min: Engine, start: Start) -> None:
    """Microseconds are not lost in the tolerance for ties."""
    sharing = max_min(np.array([1e9, 1e9]))
    slots = start(sharing, 0.0, [(1000, [0]), (1001, [1])])
    first = sharing.next_completion()
    assert first == pytest.approx(1e-6, rel=1e-12, abs=0)
    assert sharing.complete(first).tolist() == [slots[0]]
    assert sharing.next_completion() == pytest.approx(1.001e-6, rel=1e-12, abs=0)


def test_links_may_be_added_while_transfers_move(max_min: Engine, start: Start) -> None:
    """New links get the next numbers and leave the rest as it is."""
    sharing = max_min(np.array([10.0]))
    slots = start(sharing, 0.0, [(100, [0])])
    assert sharing.add_links(np.array([2.0, 3.0])) == 1
    assert sharing.add_links(np.array([1.0])) == 3
    more = start(sharing, 1.0, [(100, [0, 2]), (100, [3])])
    assert sharing.rate(np.concatenate([slots, more])).tolist() == [7.0, 3.0, 1.0]


def test_equal_rates_stay_equal_round_after_round() -> None:
    """Rounding does not split what ends at one instant, over links with many flows."""
    case = cases.all_to_all(120, classes=1)
    sharing = MaxMin(case.capacity_bps)
    now = 0.0
    for _ in range(6):
        slots = sharing.start(now, case.bits, case.route_ptr, case.route_links)
        assert len(np.unique(sharing.rate(slots))) == 1
        now = sharing.next_completion()
        assert len(sharing.complete(now)) == len(case.bits)


def test_levels_that_differ_by_rounding_are_one() -> None:
    """A link of 100,003 equal rates gives its last transfer, not held back elsewhere, the same."""
    count, each_bps = 100_003, 1e7 / 3
    capacity_bps = np.full(count + 1, each_bps)
    capacity_bps[count - 1 :] = 2 * each_bps, count * each_bps
    links = np.stack([np.arange(count), np.full(count, count)], axis=1).ravel()
    sharing = MaxMin(capacity_bps)
    slots = sharing.start(0.0, np.full(count, 8), np.arange(0, 2 * count + 1, 2), links)
    assert np.unique(sharing.rate(slots)).tolist() == [each_bps]


def test_slots_and_memory_are_used_again(random_case: Callable[..., Case]) -> None:
    """After some rounds, rounds of the same size take no more slots and no more memory."""
    case = random_case(3, 40, 500)
    sharing = MaxMin(case.capacity_bps)
    now, sizes = 0.0, []
    for _ in range(30):
        slots = sharing.start(now, case.bits, case.route_ptr, case.route_links)
        assert slots.max() < 500
        assert len(np.unique(slots)) == 500
        while (due := sharing.next_completion()) < math.inf:
            now = due
            sharing.complete(now)
        sizes.append(sum(array.nbytes for array in sharing._state))
    assert sizes[-1] == sizes[2]


@pytest.mark.parametrize(
    ("bits", "route"), [(0, [0]), (-5, [0]), (5, []), (5, [2]), (5, [-1]), (5, [0, 1, 0])]
)
def test_transfers_that_make_no_sense_are_refused(
    max_min: Engine, start: Start, bits: int, route: list[int]
) -> None:
    """Our own mistakes stop at once: no bits, no links, unknown links, links twice."""
    with pytest.raises(AssertionError):
        start(max_min(np.array([1.0, 1.0])), 0.0, [(bits, route)])


def test_time_does_not_run_backwards_or_past_a_completion(start: Start) -> None:
    """A caller that loses track of time is stopped."""
    sharing = MaxMin(np.array([10.0]))
    slots = start(sharing, 5.0, [(100, [0])])
    with pytest.raises(AssertionError):
        sharing.sent(4.0, slots)
    with pytest.raises(AssertionError):
        sharing.sent(20.0, slots)


def test_machine_code_without_a_place_on_disk(monkeypatch):
    """It is compiled all the same."""
    from netsim.network.sharing import kernel_state

    compile_ = kernel_state.njit

    def without_a_place(cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return compile_(**options)

    monkeypatch.setattr(kernel_state, "njit", without_a_place)
    assert kernel_state.compiled(lambda x: x + 1)(2) == 3
