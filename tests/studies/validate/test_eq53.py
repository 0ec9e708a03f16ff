"""Eq. 53 is no bound (erratum 9): counterexamples played by the protocol itself.

Rates are in words a second, so that sizes and times are small whole numbers.
"""

import pytest

from netsim.studies.records import optimum_s
from netsim.studies.validate.rows import row_of
from netsim.studies.validate.timed import time_round


def test_twice_the_time_because_own_shards_are_charged(make):
    """Two equal clients with half of four parameters each: 4 s as sent, 8 s by Eq. 53."""
    row = row_of("eris", "two", make([1, 1], [1, 1], 4, kind="eris"), "phase")
    assert (row.formula, row.formula_s) == ("eq53", 8)
    assert (row.optimum_s, row.max_min_s, row.optimal_s) == (4, 4, 4)
    assert row.verdict == "bound violated"
    assert "erratum 2" in row.reason
    assert not row.broken


def test_twice_the_time_because_the_slow_uplink_carries_nothing(make):
    """One aggregator whose uplink is slow: it uploads nothing, yet Eq. 53 waits for it twice."""
    setting = make([1, 1000], [1000, 1000], 4, kind="eris", aggregators=1)
    row = row_of("eris", "two", setting, "phase")
    assert row.formula_s == 8
    assert row.optimal_s == pytest.approx(4.004)
    assert row.verdict == "bound violated"
    assert "unequal links" in row.reason


def test_faster_without_a_barrier(make):
    """Three clients, two aggregators, rates 1 and 2: 10.5 s where both phases' bounds add to 12.

    Aggregator 1, whose downlink is slow, still collects while aggregator 0 sends out.
    """
    setting = make([1, 2, 2], [2, 1, 2], 6, kind="eris", aggregators=2)
    timed = time_round(setting, "round", "max_min")
    assert timed.formula == ("eq53", 12)
    assert optimum_s(timed.transfers, timed.topology) == 12
    assert timed.time_s == pytest.approx(10.5)
    assert time_round(setting, "phase", "optimal").time_s == pytest.approx(12)


def test_the_reason_without_a_barrier(make):
    """The verdict says what the barrier has to do with it; the bound it names still holds."""
    setting = make([1, 2, 2], [2, 1, 2], 6, kind="eris", aggregators=2)
    row = row_of("eris", "three", setting, "round")
    assert row.verdict == "bound violated"
    assert "without a barrier" in row.reason
    assert "erratum 9" in row.reason
    assert row.optimum_s <= row.max_min_s
    assert row.optimal_s is None


def test_exact_without_own_shards(make):
    """Equal links and a client that aggregates nothing: Eq. 53 is what is possible."""
    row = row_of(
        "eris", "three", make([1, 1, 1], [1, 1, 1], 6, kind="eris", aggregators=2), "phase"
    )
    assert (row.formula_s, row.optimum_s, row.max_min_s) == (12, 12, 12)
    assert row.verdict == "equal"
