"""The papers' figures: reproduced, or listed with the erratum that says why not."""

import csv
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from netsim.studies.validate.papers.amounts import Place, simulate
from netsim.studies.validate.papers.reading import Reading, compare
from netsim.studies.validate.papers.rows import paper_rows
from netsim.theory.papers import Figure, figures

REFERENCE = Path(__file__).parents[2] / "data" / "distribution_time_papers.csv"
NOT_REPRODUCED = {
    ("eris_v1 section F.2.2", "figure 7", "eris_dsc A=2 over fedavg", "speedup"): 4,
    ("eris_v2 section F.2.2", "figure 8", "eris_dsc A=50 over fedavg", "speedup"): 5,
    ("eris_v2 section F.2.2", "figure 8", "eris_dsc A=50 over soteriafl", "speedup"): 5,
    ("eris_v2 table 3", "cnn_dailymail", "shatter", "download_MB"): 7,
    ("eris_v2 table 3", "imdb", "shatter", "download_MB"): 7,
    ("eris_v2 table 4", "cifar10", "shatter", "download_MB"): 7,
    ("eris_v2 table 4", "mnist", "shatter", "download_MB"): 7,
}
"""Figures that no reading gives, each with its erratum."""


@pytest.fixture(scope="module")
def rows():
    """Every figure's row."""
    return list(paper_rows())


def key(row):
    return row.source, row.setting, row.method, row.quantity


def test_every_table_is_whole():
    """Rows × settings × columns of each table, and what the text names."""
    counts = Counter(figure.source for figure in figures())
    assert counts == {
        "eris_v1 table 2": 7 * 2 * 2,
        "eris_v1 table 4": 7 * 4 * 2,
        "eris_v2 table 3": 11 * 2 * 4,
        "eris_v2 table 4": 11 * 2 * 4,
        "eris_v2 table 5": 8 * 2 * 2,
        "eris_v1 abstract": 1,
        "eris_v1 section 4": 3,
        "eris_v1 section F.2.2": 4,
        "eris_v2 section F.2.2": 4,
        "shatter section 5.3": 4,
    }
    assert len({key(figure) for figure in figures()}) == sum(counts.values())


def test_shipped_figures_are_those_of_the_reference():
    """Each number of the reference file stands in ours for the same row, digit for digit."""
    ours = {key(figure): figure.value for figure in figures()}
    table = {"cnn_dailymail": "eris_v2 table 3", "cifar10": "eris_v2 table 4"}
    compared = 0
    for row in csv.DictReader(REFERENCE.read_text().splitlines()):
        first = row["source"].startswith("eris_v1")
        source = "eris_v1 table 4" if first else table[row["setting"]]
        for quantity in ("upload_MB", "download_MB", "total_MB", "time_s"):
            if row[quantity]:
                value = ours[source, row["setting"], row["method"], quantity]
                assert value == pytest.approx(float(row[quantity]), rel=1e-12), row
                compared += 1
    assert compared == 22 * 4 + 14 * 2


def test_reproduced_or_listed(rows):
    """All but the listed are reproduced, with the paper's own reading or one named."""
    found = {key(row): row for row in rows if not row.verdict.startswith("reproduced")}
    assert found.keys() == NOT_REPRODUCED.keys()
    for where, row in found.items():
        assert row.verdict.startswith("not reproduced: ")
        assert f"erratum {NOT_REPRODUCED[where]}" in row.verdict


def test_formula_and_simulation_round_to_what_is_printed(rows):
    """What counts as reproduced agrees within the printed digits, in formula and, unless the
    reason says otherwise, in simulation."""
    for figure, row in zip(figures(), rows, strict=True):
        if key(row) in NOT_REPRODUCED:
            assert not figure.agrees(row.formula)
            continue
        assert figure.agrees(row.formula), row
        assert row.simulated is not None, "a method without a protocol"
        if row.reason.startswith("formula and simulation"):
            assert figure.agrees(row.simulated), row
        else:
            assert row.reason.startswith("by the formula; simulated "), row
            assert not figure.agrees(row.simulated), row


def test_own_readings_of_the_papers(rows):
    """No condition where none is needed: FedAvg everywhere, and what is the paper's own."""
    for row in rows:
        if row.method in {"fedavg", "dpsgd"}:
            assert row.verdict == "reproduced", row
        if row.source == "eris_v2 table 5" and row.method.startswith("priprune"):
            assert row.verdict == "reproduced", row


@pytest.mark.parametrize(
    ("source", "setting", "method", "quantity", "errata"),
    [
        ("eris_v1 table 4", "imdb", "soteriafl", "time_s", {1}),
        ("eris_v1 table 4", "cnn_dailymail", "eris_dsc", "time_s", {1, 2}),
        ("eris_v2 table 3", "imdb", "eris", "time_s", {2}),
        ("eris_v2 table 4", "mnist", "qdpsgd1", "total_MB", {6}),
        ("eris_v2 table 4", "mnist", "shatter", "total_MB", {7}),
        ("eris_v2 table 3", "imdb", "ako", "time_s", {3}),
        ("eris_v1 section F.2.2", "figure 7", "eris_dsc A=50 over fedavg", "speedup", {1, 2}),
    ],
)
def test_conditions(rows, source, setting, method, quantity, errata):
    """What it takes to reproduce a figure is named by its errata."""
    row = next(each for each in rows if key(each) == (source, setting, method, quantity))
    assert row.verdict.startswith("reproduced only with ")
    assert {n for n in range(1, 20) if f"(erratum {n})" in row.verdict} == errata


def test_a_model_of_five_gigabytes_is_not_allocated():
    """Volumes have sizes only."""
    place = Place(10, 1_300_000_000, 160e6)
    compression = {"kind": "rand_k", "keep": 0.01, "masks": "shared", "downlink": "compressed"}
    tracemalloc.start()
    simulate(place, {"kind": "eris", "aggregators": 9, "compression": compression})
    simulate(place, {"kind": "shatter", "virtual_nodes": 3, "degree": 3, "links": "own"})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_unknown_protocols_are_left_out():
    """A method without a protocol has a formula and no simulation."""
    assert simulate(Place(3, 10, 1e6), {"kind": "carrier pigeon"}) is None


def reading(condition, formula, simulated, **more):
    sim = None if simulated is None else {"time_s": simulated}
    return Reading(condition, {"time_s": formula}, sim, **more)


def test_comparing_readings():
    """Whole agreement first, then the formula's; a condition only where it concerns."""
    figure = Figure("", "", "", "time_s", "1.0", "s")
    time = frozenset({"time_s"})

    def verdict(*readings):
        return compare(readings, "time_s", figure.agrees, "why").verdict

    assert verdict(reading("a", 1.04, 0.96)) == "reproduced"
    assert verdict(reading("a", 1.0, 1.2)) == "reproduced only with a"
    assert verdict(reading("a", 1.0, None)) == "reproduced"
    assert verdict(reading("a", 1.0, None, concerns=time)) == "reproduced only with a"
    assert verdict(reading("a", 1.0, 2), reading("b", 1, 1, concerns=time)).endswith("with b")
    assert verdict(reading("a", 1.2, 1.0), reading("b", 2, 1)) == "not reproduced: why"


def test_rounding_of_printed_figures():
    """Half of the last digit, in the printed unit; a tie may go either way."""
    assert Figure("", "", "", "total_MB", "4.91", "GB").agrees(4914.9)
    assert not Figure("", "", "", "total_MB", "4.91", "GB").agrees(4915.1)
    assert Figure("", "", "", "time_s", "17.32", "s").agrees(17.325)
    assert not Figure("", "", "", "upload_MB", "8.02", "KB").agrees(0.008036)
    assert Figure("", "", "", "upload_MB", "38.81", "KB").value == pytest.approx(0.03881)
