"""The phase bound, against hand counts and against the rates that attain it."""

import math
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.network.sharing.play import Case, play
from netsim.network.sharing.python_max_min import PythonMaxMin
from netsim.theory.phase import Phase, phase_bound_s, round_optimum_s
from netsim.theory.seconds import longest_s, seconds

EMPTY = Phase(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))


def test_seconds_limits() -> None:
    """Nothing takes no time, something over nothing takes for ever."""
    assert seconds([0, 1, 6], [0, 0, 3]).tolist() == [0, math.inf, 2]
    assert seconds(1, math.inf) == 0
    assert longest_s([], []) == 0


@pytest.mark.parametrize(("size", "rate"), [(-1, 1), (1, -1), (math.nan, 1), (1, math.nan)])
def test_seconds_refuses(size: float, rate: float) -> None:
    """Negative and NaN do not travel."""
    with pytest.raises(ValueError, match="negative or NaN"):
        seconds(size, rate)


def test_inner_link_is_the_bottleneck() -> None:
    """Routes of any length: two transfers share link 1, which is the slowest."""
    phase = Phase(np.array([0, 3, 4]), np.array([0, 1, 2, 1]), np.array([10, 20]))
    assert phase.loads_bits(4).tolist() == [10, 30, 10, 0]
    assert phase_bound_s(phase, [10, 5, 1, 1]) == 10
    assert phase_bound_s(phase, [10, 2, 10, 0]) == 15


def test_limits() -> None:
    """An empty phase takes no time; a needed link of rate 0 never ends, an unneeded one may."""
    there = Phase.between(np.array([0]), np.array([1]), np.array([8]))
    assert phase_bound_s(EMPTY, [1.0]) == 0
    assert phase_bound_s(EMPTY, []) == 0
    assert round_optimum_s([], [1.0]) == 0
    assert phase_bound_s(there, [0, 1, 1, 1]) == math.inf
    assert phase_bound_s(there, [1, 0, 0, 1]) == 8
    assert round_optimum_s([there, EMPTY, there], [1, 0, 0, 1]) == 16


def test_local_transfers_use_no_link() -> None:
    """A node's message to itself is free and stays in the list."""
    phase = Phase.between(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([5, 7, 9]))
    assert phase.route_ptr.tolist() == [0, 0, 2, 2]
    assert phase.loads_bits(4).tolist() == [7, 0, 0, 7]


def test_link_without_rate() -> None:
    """A route over a link that has no rate is an error."""
    phase = Phase.between(np.array([0]), np.array([1]), np.array([8]))
    with pytest.raises(ValueError, match="uses link 3; there are 2 links"):
        phase_bound_s(phase, [1.0, 1.0])


def test_million_transfers() -> None:
    """All pairs of 1000 nodes at once: every access link carries 999 messages."""
    nodes = np.arange(1000)
    senders, receivers = np.repeat(nodes, 1000), np.tile(nodes, 1000)
    phase = Phase.between(senders, receivers, np.full(1_000_000, 1_000))
    assert phase_bound_s(phase, np.full(2000, 1e6)) == 0.999


@given(
    st.lists(st.tuples(st.sets(st.integers(0, 4), min_size=1), st.integers(0, 1000)), max_size=8),
    st.lists(st.integers(1, 50), min_size=5, max_size=5),
)
def test_rates_by_size_attain_the_bound(
    transfers: list[tuple[set[int], int]], rates: list[int]
) -> None:
    """With every transfer at size/bound no link is above its rate, and one is at it."""
    routes = [sorted(links) for links, _ in transfers]
    ptr = np.cumsum([0, *map(len, routes)])
    sizes = np.array([size for _, size in transfers], np.int64)
    phase = Phase(ptr, np.array(list(chain(*routes)), np.int64), sizes)
    bound_s = phase_bound_s(phase, rates)
    used = [sum(s for links, s in transfers if link in links) for link in range(5)]
    if bound_s == 0:
        assert not any(used)
    else:
        shares = [bits / bound_s / rate for bits, rate in zip(used, rates, strict=True)]
        assert max(shares) == pytest.approx(1)


@given(st.lists(st.sets(st.integers(0, 4), min_size=1), min_size=1, max_size=10), st.data())
def test_fair_rates_attain_the_bound_for_one_size(
    routes: list[set[int]], data: st.DataObject
) -> None:
    """Any routes and rates: transfers of one size under max-min end with the bound."""
    rates = data.draw(st.lists(st.integers(1, 50), min_size=5, max_size=5))
    ptr = np.cumsum([0, *map(len, routes)])
    links = np.array(list(chain(*map(sorted, routes))), np.int64)
    sizes, none = np.full(len(routes), 1000), np.zeros(0)
    case = Case(
        np.array(rates, float), sizes, ptr, links, np.zeros(len(routes)), none, links[:0], none
    )
    finish_s = play(case, PythonMaxMin(case.capacity_bps))
    assert finish_s.max() == pytest.approx(phase_bound_s(Phase(ptr, links, sizes), rates))


def test_fairness_has_a_price_for_several_sizes() -> None:
    """Two transfers share a link until the short one ends; the long one then meets another
    link, which was not full before: 5.67 s where 5 s would do."""
    ptr, links = np.array([0, 1, 3]), np.array([0, 0, 1])
    sizes, rates, none = np.array([4, 6]), np.array([2.0, 1.2]), np.zeros(0)
    case = Case(rates, sizes, ptr, links, np.zeros(2), none, links[:0], none)
    assert phase_bound_s(Phase(ptr, links, sizes), rates) == 5
    assert play(case, PythonMaxMin(rates)).max() == pytest.approx(4 + 2 / 1.2)
