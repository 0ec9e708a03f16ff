"""The scripts that draw the papers' figures, on a few points."""

import csv
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FEW = {
    "COUNTS": (5, 10),
    "EXPONENTS": (1.0, 2.0),
    "RATES_MBPS": (10.0, 100.0),
    "AGGREGATORS": (2, 5),
}


@pytest.fixture
def figures(monkeypatch):
    """analysis.figures with few points; analysis is beside the package, not in it."""
    monkeypatch.syspath_prepend(str(ROOT))
    module = importlib.import_module("analysis.figures")
    for name, few in FEW.items():
        monkeypatch.setattr(module, name, few)
    return module


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
