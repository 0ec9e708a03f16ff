"""A run of five protocols, end to end: its folder and ``summary.json``."""

import json

import duckdb
import pytest

from netsim.studies.scenario import load

NUMBERS = (int, float)
RESOLVED = "scenario.resolved.yaml"
SCHEMA = {
    "label": str,
    "protocol": str,
    "params": dict,
    "rounds": int,
    "final_accuracy": float,
    "best_accuracy": float,
    "simulated_time_s": float,
    "distribution_time_s": dict,
    "bytes": dict,
    "time_to_accuracy_s": dict,
    "seen_share": float,
    "bound": dict,
    "digest": str,
    "model_digest": str,
}
BYTES = {"payload", "wire", "sent", "delivered", "lost", "upload_per_node", "download_per_node"}


def test_the_folder_holds_what_the_contract_says(tiny):
    """All of design §7, none of it empty."""
    files = (
        "scenario.resolved.yaml manifest.json summary.json rounds.parquet transfers.parquet "
        "trace.json report.html"
    )
    assert all((tiny / name).stat().st_size > 0 for name in files.split())
    assert list((tiny / "plots").iterdir())


def test_the_summary_has_every_field(tiny, tiny_runs):
    """By name and type, for every run; more may stand beside them."""
    summary = json.loads((tiny / "summary.json").read_text())
    assert (summary["scenario"], summary["seed"]) == ("tiny", 7)
    assert [run["protocol"] for run in summary["runs"]] == [
        "fedavg",
        "eris",
        "eris",
        "shatter",
        "epidemic",
    ]
    for run in tiny_runs.values():
        assert {name: type(run[name]) for name in SCHEMA} == SCHEMA
        assert set(run["distribution_time_s"]) == {"mean", "min", "max", "total"}
        assert set(run["bytes"]) >= BYTES
        assert set(run["bound"]) == {"formula", "formula_s", "optimum_s", "ratio"}
        assert set(run["time_to_accuracy_s"]) == {"0.20", "0.99"}
        assert len(run["model_digest"]) == len(run["digest"]) == 64
        assert run["rounds"] == 3


def test_its_figures_fit_each_other(tiny_runs):
    """Sums, bounds and orders that hold whatever the numbers are."""
    for run in tiny_runs.values():
        time_s, size = run["distribution_time_s"], run["bytes"]
        assert time_s["min"] <= time_s["mean"] <= time_s["max"]
        assert time_s["total"] == pytest.approx(3 * time_s["mean"])
        assert time_s["total"] == pytest.approx(run["simulated_time_s"])
        assert size["sent"] == size["delivered"] + size["lost"]
        assert size["lost"] == 0
        assert size["payload"] < size["wire"] == size["sent"]
        assert run["final_accuracy"] <= run["best_accuracy"]
        assert run["time_to_accuracy_s"]["0.99"] is None
        assert run["bound"]["ratio"] >= 1


def test_eris_ends_with_the_model_of_fedavg(tiny_runs):
    """Without compression; with it the model is another, and so is the log."""
    fedavg, eris, dsc = (tiny_runs[label] for label in ("fedavg", "eris (A=6)", "dsc"))
    assert eris["model_digest"] == fedavg["model_digest"]
    assert eris["final_accuracy"] == fedavg["final_accuracy"]
    assert eris["digest"] != fedavg["digest"]
    assert dsc["model_digest"] != fedavg["model_digest"]


def test_models_got_better_than_chance(tiny_runs):
    """Within three rounds, each of them."""
    assert all(run["final_accuracy"] > 0.3 for run in tiny_runs.values())


def test_the_tables_add_up_to_the_summary(tiny, tiny_runs):
    """Rows of rounds, and bits of transfers, by run."""
    rounds = duckdb.sql(
        f"select run, count(*), max(accuracy) from '{tiny}/rounds.parquet' group by run"
    ).fetchall()
    assert {run: (count, best) for run, count, best in rounds} == {
        label: (3, run["best_accuracy"]) for label, run in tiny_runs.items()
    }
    transfers = duckdb.sql(
        f"select run, sum(sent_bits) from '{tiny}/transfers.parquet' group by run"
    ).fetchall()
    assert {run: bits / 8 for run, bits in transfers} == {
        label: run["bytes"]["sent"] for label, run in tiny_runs.items()
    }


def test_the_resolved_scenario_is_the_same_scenario(tiny):
    """It loads, and it is what was run, defaults and the strategy of gradients written out."""
    resolved, given = (load(path) for path in (tiny / RESOLVED, tiny.parent / "tiny.yaml"))
    task = given.task.model_copy(update={"gradients": "products"})
    assert resolved == given.model_copy(update={"task": task})
    text = (tiny / RESOLVED).read_text()
    assert all(word in text for word in ("barrier: round", "weights: samples", "max_min"))
