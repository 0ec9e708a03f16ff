"""The fronts of a study: accuracy against time and against what one observer sees."""

import pytest
from matplotlib.figure import Figure

from netsim.results.errors import ResultsError
from netsim.studies.survey.fronts import fronts
from netsim.studies.survey.table import read_table
from tests.studies.survey.conftest import MakeStudy, row

RATES = (1e6, 5e6, 20e6, 1e8)
X = "network.uplink"


def cells(label: str, accuracy: float, seen: float | None, rates=RATES, seeds=(1,), **more):
    return [
        row(
            label,
            bps,
            8e6 / bps,
            **{"seed": seed, "final_accuracy": accuracy, "seen_share": seen} | more,
        )
        for bps in rates
        for seed in seeds
    ]


@pytest.fixture
def drawn(make_study: MakeStudy):
    """The figures of a study of these cells, against the rate."""

    def draw(*groups) -> dict[str, Figure]:
        return fronts(read_table(make_study([each for group in groups for each in group])), X)

    return draw


def points(axes) -> dict[str, tuple[float, float]]:
    """What is marked, by label."""
    lines = [line for line in axes.lines if not line.get_label().startswith("_")]
    return {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0]) for line in lines}


def front_of(axes) -> list[tuple[float, float]]:
    """The line that joins the best."""
    line = axes.lines[0]
    return list(zip(line.get_xdata(), line.get_ydata(), strict=True))


def test_leakage_is_drawn_once_where_the_rate_does_not_matter(drawn) -> None:
    """Three panels of times, one of shares: the medians of the seeds, and the front."""
    figures = drawn(
        cells("fedavg", 0.9, 1.0, seeds=(1, 2, 3)),
        cells("eris", 0.9, 0.1, seeds=(1, 2, 3)),
        cells("eris + dsc", 0.8, 0.005, seeds=(1, 2)),
        cells("eris + dsc", 0.7, 0.009, seeds=(3,)),
    )
    assert list(figures) == ["accuracy_against_time", "accuracy_against_leakage"]
    assert len(figures["accuracy_against_time"].axes) == 3
    (axes,) = figures["accuracy_against_leakage"].axes
    assert points(axes) == {"fedavg": (1.0, 0.9), "eris": (0.1, 0.9), "eris + dsc": (0.005, 0.8)}
    assert front_of(axes) == [(0.005, 0.8), (0.1, 0.9)]
    assert axes.get_xlabel() == "Largest share of an update that one observer got"
    assert (axes.get_xscale(), axes.get_title()) == ("log", "")


def test_a_panel_each_where_the_share_differs(drawn) -> None:
    """At three rates, as times have them."""
    pairs = zip(RATES, (1.0, 0.5, 0.3, 0.1), strict=True)
    groups = [cells("eris", 0.9, share, rates=(bps,)) for bps, share in pairs]
    figures = drawn(*groups)
    panels = figures["accuracy_against_leakage"].axes
    assert [points(axes)["eris"][0] for axes in panels] == [1, 0.3, 0.1]
    assert panels[0].get_title() == "network.uplink = 1.00 Mbit/s"


def test_what_nobody_can_say_is_not_drawn(drawn) -> None:
    """A run without a share is left out, and the figure where none has one."""
    (axes,) = drawn(cells("fedavg", 0.9, 1.0), cells("silent", 0.9, None))[
        "accuracy_against_leakage"
    ].axes
    assert list(points(axes)) == ["fedavg"]


def test_no_figure_without_shares_or_accuracies(drawn, make_study: MakeStudy, tmp_path) -> None:
    """Neither of what was made before there was the column, nor of sizes alone."""
    assert list(drawn(cells("fedavg", 0.9, None))) == ["accuracy_against_time"]
    (tmp_path / "study").rename(tmp_path / "other")
    sizes = read_table(make_study(cells("fedavg", 0.9, 1.0, final_accuracy=None)))
    assert fronts(sizes, X) == {}


def test_more_panels_than_a_page_holds_are_refused(drawn) -> None:
    """Five latencies at three rates."""
    with pytest.raises(ResultsError, match="15 panels"):
        drawn(*(cells("eris", 0.9, 1.0, **{"network.latency": ms / 1000}) for ms in range(5)))
