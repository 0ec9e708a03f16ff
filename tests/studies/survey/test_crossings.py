"""Crossings and elasticities against curves whose answer is known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.studies.survey.crossings import Reign, reigns
from netsim.studies.survey.curves import Curve, Panel, Point
from netsim.studies.survey.elasticity import elasticity

XS = (1.0, 10.0, 100.0, 1000.0)


def curve(name: str, *values: float, xs: tuple[float, ...] = XS) -> Curve:
    points = zip(xs, values, strict=True)
    return Curve(name, tuple(Point(x, value, value, value) for x, value in points))


def power(name: str, factor: float, exponent: float) -> Curve:
    return curve(name, *(factor * x**exponent for x in XS))


def test_power_laws_cross_where_they_are_equal() -> None:
    """400/x and 20/√x are equal at x = 400, between two points of the curves."""
    found = reigns(Panel({}, (power("slow", 400, -1), power("steady", 20, -0.5))))
    assert [each.best for each in found] == [("steady",), ("slow",)]
    assert found[0].end == pytest.approx(400, rel=1e-12)
    assert found[1].start == found[0].end


def test_three_curves_each_best_somewhere() -> None:
    """√x/100 below 100, 1/√x above, and a constant 9 that is never least."""
    curves = (power("falling", 1, -0.5), power("worst", 9, 0), power("rising", 0.01, 0.5))
    found = reigns(Panel({}, curves))
    assert [each.best for each in found] == [("rising",), ("falling",)]
    assert found[0].end == pytest.approx(100, rel=1e-9)


def test_equal_curves_share() -> None:
    """FedAvg and a protocol that takes the same time to the last bit but one."""
    one, other = power("one", 5, -1), power("other", 5 * (1 + 1e-13), -1)
    assert reigns(Panel({}, (one, other))) == [Reign(1.0, 1000.0, ("one", "other"))]


def test_who_never_reaches_a_goal_is_never_best() -> None:
    """Infinite at 100 and above: out of every stretch that ends there."""
    fast = curve("fast", 1, 1, math.inf, math.inf)
    found = reigns(Panel({}, (fast, curve("slow", 9, 9, 9, math.inf))))
    assert found == [
        Reign(1.0, 10.0, ("fast",)),
        Reign(10.0, 100.0, ("slow",)),
        Reign(100.0, 1000.0, None),
    ]


def test_zero_values_are_straight_on_plain_axes() -> None:
    """x/100 against 5 − x/100 cross at x = 250 where logarithms have no zero."""
    xs = (0.0, 500.0)
    curves = (curve("up", 0, 5, xs=xs), curve("down", 5, 0, xs=xs))
    found = reigns(Panel({}, curves))
    assert [each.best for each in found] == [("up",), ("down",)]
    assert found[0].end == pytest.approx(250)


@given(
    st.lists(st.tuples(*[st.floats(0.01, 100)] * len(XS)), min_size=1, max_size=5),
    st.floats(1.001, 999),
)
def test_whoever_reigns_is_least_there(values: list[tuple[float, ...]], x: float) -> None:
    """At any x, by interpolation of its own, nobody is lower than the one that reigns."""
    curves = tuple(curve(str(at), *each) for at, each in enumerate(values))
    found = reigns(Panel({}, curves))
    assert found[0].start == XS[0]
    assert found[-1].end == XS[-1]
    (reign,) = [each for each in found if each.start <= x < each.end]
    assert reign.best is not None
    lows = {each.name: _interpolated(each, x) for each in curves}
    assert lows[reign.best[0]] <= min(lows.values()) * (1 + 1e-6)


def _interpolated(given: Curve, x: float) -> float:
    at = max(place for place, left in enumerate(XS[:-1]) if left <= x)
    share = math.log10(x) - at
    low, high = (given.points[place].middle for place in (at, at + 1))
    return float(low ** (1 - share) * high**share)


def test_elasticity_of_a_power_law_is_its_exponent() -> None:
    """7·x^−0.6 has −0.6 at both ends and over all."""
    found = elasticity(power("p", 7, -0.6))
    assert found is not None
    assert (found.low, found.high, found.whole) == pytest.approx((-0.6, -0.6, -0.6))


def test_elasticity_of_latency_and_rate() -> None:
    """100/x + 1: nearly −1 at low rates, nearly 0 at high ones."""
    found = elasticity(curve("t", *(100 / x + 1 for x in XS)))
    assert found is not None
    assert found.low == pytest.approx(math.log10(11 / 101))
    assert found.high == pytest.approx(math.log10(1.1 / 2))


def test_one_point_has_no_elasticity() -> None:
    """Nothing to draw a line through."""
    assert elasticity(curve("t", 1, math.inf, math.inf, math.inf)) is None
