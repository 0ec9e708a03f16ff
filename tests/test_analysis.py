"""The scripts that draw the papers' figures, on a few points."""

import csv
import importlib
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
FEW = {
    "figures": {
        "COUNTS": (5, 10),
        "EXPONENTS": (1.0, 2.0),
        "RATES_MBPS": (10.0, 100.0),
        "AGGREGATORS": (2, 5),
    },
    "findings.shatter": {"RATIOS": (1.0, 5.0), "DEGREES": (4,)},
    "findings.barrier": {"COUNTS": (2,), "DRAWN": 3},
    "findings.masks": {"CLIENTS": (1, 5), "KEPT": (0.05,)},
    "findings.fairness": {"CLIENTS": (4, 5), "DRAWN": 3},
    "findings.latency": {"COUNTS": (2, 5), "LATENCIES_MS": (0, 50)},
    "findings.eq53": {"COUNTS": (2, 3), "DRAWN": 10},
    "findings.fifo": {"COUNTS": (2, 10)},
}


@pytest.fixture
def figures(monkeypatch):
    """analysis.figures with few points; analysis is beside the package, not in it."""
    monkeypatch.syspath_prepend(str(ROOT))
    for name, points in FEW.items():
        module = importlib.import_module(f"analysis.{name}")
        for constant, few in points.items():
            monkeypatch.setattr(module, constant, few)
    return importlib.import_module("analysis.figures")


def test_distribution_times(figures, tmp_path, monkeypatch):
    """A picture and a table of each; FedAvg's rounds lie on its formula, ERIS's keep own shards."""
    monkeypatch.setattr("sys.argv", ["figures", "--out", str(tmp_path)])
    figures.main()
    for name in figures.FIGURES:
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((tmp_path / "eris_v1_figure7.csv").read_text().splitlines()))
    assert {row["x_name"] for row in rows} == {"clients", "model size, Mbit"}
    for row in rows:
        line, run = float(row["formula"]), row["simulated"]
        if row["curve"] == "FedAvg":
            assert float(run) == pytest.approx(line)
        if row["curve"] == "ERIS (A=K)" and row["x_name"] == "clients":
            clients = float(row["x"])
            assert float(run) == pytest.approx(line * (clients - 1) / clients)


def test_unequal_links(figures, tmp_path, monkeypatch):
    """Without a barrier rounds are shorter than Eq. 53 has it, with one as long as the bounds."""
    panels = figures.aggregators()
    free, kept = panels[1].curves.values()
    assert all(point.simulated < point.formula for point in free)
    assert all(point.simulated == pytest.approx(point.formula) for point in kept)


def last(panel):
    """What was simulated at the last point of each curve."""
    return [points[-1].simulated for points in panel.curves.values()]


def test_findings(figures):
    """Their markers are what the tests of tests/studies/validate/test_findings.py find."""
    found = {name: figures.FIGURES[name]() for name in figures.FINDINGS}
    assert last(found["formulas_shatter"][1]) == pytest.approx([4])
    assert last(found["formulas_masks"][0]) == pytest.approx([1 - 0.95**5], rel=0.1)
    assert last(found["formulas_eq53"][0]) == pytest.approx([1.5])
    assert max(last(found["formulas_eq53"][1])) <= 2
    assert last(found["formulas_fifo"][0])[:2] == pytest.approx([5, 5.196], abs=1e-3)
    assert last(found["formulas_fifo"][0])[3] == pytest.approx(1)
    plain, tcp = (last(panel) for panel in found["formulas_latency"])
    assert all(one < other for one, other in zip(plain, tcp, strict=True))


def test_random_networks(figures):
    """The price of fairness and the gain of no barrier in a hundred networks of ten clients."""
    fairness = importlib.import_module("analysis.findings.fairness")
    barrier = importlib.import_module("analysis.findings.barrier")
    prices = [fairness.price_percent(10, "optimal", seed) for seed in range(100)]
    assert np.median(prices) == pytest.approx(1.7, abs=0.05)
    assert max(prices) == pytest.approx(8.5, abs=0.05)
    ratios = [barrier.without_barrier(few, seed) for few in (2, 10) for seed in range(100)]
    assert min(ratios) == pytest.approx(0.68, abs=0.005)
    assert max(ratios) == pytest.approx(1.355, abs=0.005)
