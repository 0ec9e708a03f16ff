"""ERIS under failures: the study of its scenario, and what it must show (F.5, Figs. 11-12)."""

import importlib
from pathlib import Path

import pytest

from netsim.studies.scenario import load

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def study(monkeypatch):
    """analysis.eris_failures; analysis is beside the package, not in it."""
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("analysis.eris_failures")


def test_a_cell_and_the_picture(study, tmp_path):
    """A cell tells the best of its rounds; every rate and seed of both kinds is drawn."""
    short = load(study.SCENARIO).model_copy(update={"rounds": 3})
    cell = study.measure(short, "links", 0.5, 8)
    assert (cell["failure"], cell["rate"], cell["seed"]) == ("links", 0.5, 8)
    assert 1 <= cell["best_round"] <= 3
    assert 0 < cell["accuracy"] <= 1
    rows = [
        cell | {"failure": kind, "rate": rate, "seed": seed}
        for kind in ("aggregators", "links")
        for rate in study.RATES
        for seed in study.SEEDS
    ]
    study.draw(rows, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["aggregators", "links"])
def test_failures_cost_rounds_and_not_accuracy(study, kind):
    """The round of least loss lies well inside the cap without failures and moves towards it."""
    scenario = load(study.SCENARIO)
    cells = [study.measure(scenario, kind, rate, 7) for rate in (0.0, 0.5, 0.9)]
    best = [cell["best_round"] for cell in cells]
    assert best[0] < scenario.rounds / 4
    assert best[1] > 1.5 * best[0]
    assert best[2] > 1.5 * best[1]
    assert all(abs(cell["accuracy"] - cells[0]["accuracy"]) < 0.03 for cell in cells)
