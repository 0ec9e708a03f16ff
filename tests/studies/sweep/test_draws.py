"""Values between two bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.kernel.streams import Streams
from netsim.studies.sweep.draws import Draws, Range

SHARES = st.floats(0, 1, exclude_max=True)
SCALES = st.sampled_from(["linear", "log"])


def between(low, high, scale="linear"):
    return Range.model_validate({"from": low, "to": high, "scale": scale})


@given(st.integers(1, 50), st.integers(0, 50), SHARES, SCALES)
def test_whole_numbers_include_both_ends(low, more, share, scale):
    """Never beyond them."""
    assert low <= between(low, low + more, scale).value(share) <= low + more


def test_each_whole_number_has_its_share():
    """Evenly by numbers, or by their logarithms."""
    thirds = [between(1, 3).value(share) for share in (0, 0.33, 0.34, 0.66, 0.67, 0.999)]
    assert thirds == [1, 1, 2, 2, 3, 3]
    assert [between(1, 7, "log").value(share) for share in (0.3, 0.34, 0.67)] == [1, 2, 4]


@given(st.floats(1e-3, 1e3), st.floats(0, 1e3), SHARES, SCALES)
def test_numbers_lie_between_the_ends(low, more, share, scale):
    """To the six digits they are given with."""
    value = between(low, low + more, scale).value(share)
    assert low * (1 - 1e-5) <= value <= (low + more) * (1 + 1e-5)


def test_quantities_keep_their_unit():
    """Half of the way by the logarithm, or evenly."""
    assert between("1 Mbit/s", "100 Mbit/s", "log").value(0.5) == "10 Mbit/s"
    assert between("1 kbit/s", "1 Mbit/s").value(0.5) == "500.5 kbit/s"
    assert between("2 ms", "4 ms").value(0.5) == "3 ms"
    assert between("2 kB", "4 kB").value(0.5) == "3 kB"


def test_the_ends_may_differ_in_number_but_not_in_kind():
    """1 to 2.5 is no range of whole numbers."""
    assert between(1, 2.0).value(0.5) == 1.5
    assert [text for _, text in between("1 ms", "1 Mbit/s").problems()] == [
        "is a rate, and from is a duration"
    ]


@pytest.mark.parametrize("kind", ["sobol", "latin", "random"])
def test_points_depend_on_the_seed_and_the_kind_alone(kind):
    """So many as asked for; no warning for a number that is no power of two."""
    draws = Draws.model_validate({"count": 7, "over": {"a": {"from": 0.0, "to": 1.0}}})
    points = draws.points(kind, Streams(3))
    assert len(points) == 7
    assert points == draws.points(kind, Streams(3))
    assert points != draws.points(kind, Streams(4))


def test_latin_squares_have_one_point_in_each_row_and_column():
    """McKay et al. 1979."""
    over = {"a": {"from": 0.0, "to": 10.0}, "b": {"from": 0.0, "to": 10.0}}
    points = Draws.model_validate({"count": 10, "over": over}).points("latin", Streams(1))
    for key in over:
        assert sorted(int(point[key]) for point in points) == [*range(10)]


def test_sobol_points_halve_every_side():
    """Eight points: four in each half of each side, two in each quarter."""
    over = {key: {"from": 0.0, "to": 4.0} for key in "abc"}
    points = Draws.model_validate({"count": 8, "over": over}).points("sobol", Streams(1))
    for key in over:
        assert sorted(int(point[key]) for point in points) == [0, 0, 1, 1, 2, 2, 3, 3]
