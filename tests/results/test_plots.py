"""The figures: which there are, and that they hold what the runs hold."""

import dataclasses

import matplotlib
import pytest

from netsim.results import plot_style, plots


@pytest.fixture(autouse=True)
def _styled():
    with plot_style.style():
        yield


def _lines(figure):
    (axes,) = figure.axes
    return {str(line.get_label()): line.get_xydata().tolist() for line in axes.lines}


def test_accuracy_over_time_and_rounds(make_run):
    """Points lie at the end of each round, in seconds, and at the round's number."""
    figures = plots.draw([make_run(), make_run("slow", pace=3.0)])
    accuracies = [r.accuracy for r in make_run().rounds]
    assert _lines(figures["accuracy_over_time"])["slow"] == [
        [3.0 * (i + 1), a] for i, a in enumerate(accuracies)
    ]
    assert _lines(figures["accuracy_over_rounds"])["slow"] == [
        [i, a] for i, a in enumerate(accuracies)
    ]
    assert figures["accuracy_over_time"].axes[0].get_xlabel() == "Virtual time (s)"


def test_distribution_time_in_the_unit_that_fits(make_run):
    """Milliseconds for rounds of 80 ms; the axis starts at zero."""
    figure = plots.draw([make_run(pace=0.1)])["distribution_time"]
    assert figure.axes[0].get_ylabel() == "Distribution time of the round (ms)"
    assert _lines(figure)["eris (A=4)"][0] == pytest.approx([0, 80.0])
    assert figure.axes[0].get_ylim()[0] == 0


def test_runs_far_apart_share_a_logarithmic_axis(make_run):
    """A run 100 times slower must not squeeze the other into the corner."""
    figures = plots.draw([make_run(pace=0.1), make_run("slow", pace=10.0)])
    assert figures["accuracy_over_time"].axes[0].get_xscale() == "log"
    assert figures["distribution_time"].axes[0].get_yscale() == "log"
    assert figures["distribution_time"].axes[0].get_ylabel().endswith("(ms)")


def test_without_accuracy_or_distribution_only_bytes_are_drawn(volume_run):
    """Volume payloads and rounds that overlap."""
    assert list(plots.draw([volume_run])) == ["bytes"]


def test_nothing_is_drawn_of_nothing(make_run, table):
    """A run that failed at once, and no run at all."""
    assert plots.draw([]) == {}
    assert plots.draw([make_run(rounds=0, transfers=table(round=[]))]) == {}


def test_bytes_show_what_was_lost(make_run):
    """Bars end at what was sent; the text says what of it was lost."""
    (axes,) = plots.draw([make_run()])["bytes"].axes
    assert max(bar.get_x() + bar.get_width() for bar in axes.patches) == pytest.approx(71.5)
    assert [text.get_text() for text in axes.texts] == ["eris (A=4): 71.5 MB, 500 kB of it lost"]


def test_a_legend_only_for_several_runs(make_run):
    """Every line has its name there, also one that begins with an underscore or has dollars."""
    alone = plots.draw([make_run()])["accuracy_over_rounds"]
    assert alone.legends == []
    labels = ["_hidden", r"$\frac$ & <b>", "l" * 60]
    several = plots.draw([make_run(label) for label in labels])["accuracy_over_rounds"]
    texts = [text.get_text() for text in several.legends[0].texts]
    assert texts == [" _hidden", r"$\frac$ & <b>", "l" * 43 + "…"]
    assert plot_style.inline_svg(several).startswith("<svg")


def test_ten_runs_look_different(make_run):
    """No two lines share colour, marker and dashes."""
    figure = plots.draw([make_run(f"run {i}") for i in range(10)])["accuracy_over_rounds"]
    looks = {
        (line.get_color(), line.get_marker(), line.get_linestyle()) for line in figure.axes[0].lines
    }
    assert len(looks) == 10


def test_gaps_between_evaluations(make_run):
    """Rounds that were not evaluated are left out of the line."""
    run = make_run()
    skipped = dataclasses.replace(run.rounds[1], accuracy=None, accuracy_min=None)
    skipped = dataclasses.replace(skipped, accuracy_max=None)
    gap = dataclasses.replace(run, rounds=(run.rounds[0], skipped, run.rounds[2]))
    points = _lines(plots.draw([gap])["accuracy_over_rounds"])["eris (A=4)"]
    assert [x for x, _ in points] == [0, 2]


def test_files_and_their_bytes(tmp_path, make_run):
    """A PNG and an SVG each; the same runs make the same SVG."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        plot_style.save(plots.draw([make_run()]), tmp_path / name)
    assert len(list((tmp_path / "a").glob("*.png"))) == 4
    svgs = sorted((tmp_path / "a").glob("*.svg"))
    assert len(svgs) == 4
    assert all(svg.read_bytes() == (tmp_path / "b" / svg.name).read_bytes() for svg in svgs)


def test_a_figure_within_a_page_takes_the_colour_of_its_text(make_run):
    """No ink of its own, no address to another site but names of formats."""
    svg = plot_style.inline_svg(plots.draw([make_run()])["bytes"])
    assert svg.startswith("<svg")
    assert svg.endswith("</svg>")
    assert plot_style.INK not in svg
    assert "currentColor" in svg
    assert "<metadata" not in svg


def test_the_style_leaves_no_trace(make_run):
    """Settings of matplotlib are as before outside."""
    inside = matplotlib.rcParams["svg.hashsalt"]
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        with plot_style.style():
            assert matplotlib.rcParams["svg.hashsalt"] == inside == "netsim"
        assert matplotlib.rcParams["svg.hashsalt"] is None
