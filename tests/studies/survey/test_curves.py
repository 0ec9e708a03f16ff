"""Curves: medians of seeds, panels of settings, names of lines."""

import math

import pytest

from netsim.results.errors import ResultsError
from netsim.studies.survey.curves import Point, panels
from netsim.studies.survey.figures import draw_curves
from netsim.studies.survey.table import read_table
from tests.studies.survey.conftest import MakeStudy, row

UPLINK = "network.uplink"


def test_a_point_is_the_median_of_its_seeds_and_their_range(make_study: MakeStudy) -> None:
    """Three seeds of one run at one rate: 1, 2 and 6 s."""
    folder = make_study([row("fedavg", 1e6, t, seed=s) for s, t in enumerate((6.0, 1.0, 2.0))])
    (panel,) = panels(read_table(folder), UPLINK, "distribution_time", "label")
    assert panel.curves[0].points == (Point(1e6, 2.0, 1.0, 6.0),)


def test_a_goal_that_most_seeds_miss_is_infinite(make_study: MakeStudy) -> None:
    """One of three seeds reaches it: no median to show."""
    times = (None, None, 1.0)
    folder = make_study([row("fedavg", 1e6, t, seed=s) for s, t in enumerate(times)])
    (panel,) = panels(read_table(folder), UPLINK, "time_to_0.50", "label")
    assert panel.curves[0].points[0].middle == math.inf


def test_a_band_is_drawn_where_all_seeds_have_a_value(make_study: MakeStudy) -> None:
    """Of three rates one seed never reaches the goal at the first."""
    times = {1e6: (None, 3.0, 2.0), 2e6: (1.0, 2.0, 3.0), 3e6: (0.5, 1.0, 2.0)}
    rows = [row("fedavg", x, t, seed=s) for x, of in times.items() for s, t in enumerate(of)]
    table = read_table(make_study(rows))
    shown = panels(table, UPLINK, "time_to_0.50", "label")
    axes = draw_curves(shown, table, UPLINK, "time_to_0.50_s").axes[0]
    assert [line.get_xdata().tolist() for line in axes.lines] == [[1.0, 2.0, 3.0]]
    (band,) = axes.collections
    xs = {x for path in band.get_paths() for x, _ in path.vertices.tolist()}
    assert xs == {2.0, 3.0}


def test_settings_are_panels_and_what_follows_from_x_is_none(make_study: MakeStudy) -> None:
    """The downlink goes with the uplink; the latency does not."""
    rates, latencies = (1e6, 1e7), (0.001, 0.05)
    folder = make_study(
        [row("fedavg", r, 1.0, **{"network.latency": x}) for r in rates for x in latencies]
    )
    shown = panels(read_table(folder), UPLINK, "distribution_time", "label")
    assert [panel.setting for panel in shown] == [{"network.latency": x} for x in latencies]


def test_a_field_can_be_lines(make_study: MakeStudy) -> None:
    """Lines by latency leave one panel."""
    folder = make_study([row("fedavg", 1e6, 1.0, **{"network.latency": x}) for x in (0.001, 0.05)])
    (panel,) = panels(read_table(folder), UPLINK, "distribution_time", "network.latency")
    names = [curve.name for curve in panel.curves]
    assert names == ["fedavg, latency = 0.001 s", "fedavg, latency = 0.05 s"]


def test_lines_by_protocol_keep_its_variants_apart(make_study: MakeStudy) -> None:
    """Two runs of one protocol are never thrown together."""
    labels = ("fedavg (a)", "eris (b)", "eris (c)")
    folder = make_study([row(label, 1e6, 1.0) for label in labels])
    (panel,) = panels(read_table(folder), UPLINK, "distribution_time", "protocol")
    assert [curve.name for curve in panel.curves] == ["fedavg", "eris (b)", "eris (c)"]


def test_failed_cells_are_left_out(make_study: MakeStudy) -> None:
    """A failed cell has no figures."""
    folder = make_study([row("fedavg", 1e6, 1.0), row("eris", 1e6, None, status="failed")])
    assert [each["label"] for each in read_table(folder).rows] == ["fedavg"]


def test_a_condition_chooses_cells(make_study: MakeStudy) -> None:
    """--where is SQL on the columns."""
    folder = make_study([row("fedavg", rate, 1.0) for rate in (1e6, 1e7)])
    table = read_table(folder, '"network.uplink" > 2e6')
    assert table.numbers(UPLINK) == [1e7]


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ("network.uplnk", "distribution_time", "did you mean 'network.uplink'?"),
        (UPLINK, "distance", "unknown column 'distance'"),
        (UPLINK, "status", "'status' holds no numbers"),
        ("seed", "distribution_time", "x cannot be the seed"),
    ],
)
def test_columns_that_are_none(make_study: MakeStudy, x: str, y: str, message: str) -> None:
    """Each is told in a line."""
    table = read_table(make_study([row("fedavg", 1e6, 1.0)]))
    with pytest.raises(ResultsError, match=message.replace("?", r"\?")):
        panels(table, x, y, "label")
