"""When models are tested, whose, and what a round's record says of them."""

import json
from pathlib import Path

import duckdb
import numpy as np
import pytest

from netsim.learning.base import Evaluation
from netsim.learning.errors import ModelDiverged
from netsim.results.records import Spread
from netsim.scenario.errors import ScenarioError
from netsim.studies.evaluating import Evaluating
from netsim.studies.scenario import load
from netsim.studies.worth import worth

TASK = {"dataset": "digits", "model": "mlp", "lr": 0.1, "samples_per_client": 10}
NETWORK = {"nodes": 6, "uplink": "1 MB/s", "downlink": "1 MB/s"}


@pytest.fixture
def records(read, play, tmp_path, monkeypatch):
    """The records of one run with these settings."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)

    def go(kind="fedavg", **settings):
        changes = {"task": TASK, "network": NETWORK, "runs": [{"kind": kind}]} | settings
        (outcome,) = play(read(**changes), tmp_path / "out")
        return outcome.result.rounds

    return go


def test_by_virtual_time(read) -> None:
    """Rounds end at 4, 8, … s: with an interval of 10 s those at 12, 20, 32 and the last."""
    evaluating = Evaluating(read(rounds=9, evaluate={"interval": "10 s"}))
    assert [at for at in range(9) if evaluating.is_due(at, 4.0 * (at + 1))] == [2, 4, 7, 8]


def test_by_rounds_or_by_time_not_both(tmp_path: Path) -> None:
    """With its line."""
    text = (
        "name: s\nrounds: 1\nvolume: {parameters: 10}\n"
        "evaluate: {every: 2, interval: 3 s}\n"
        "network: {nodes: 4, uplink: 1 MB/s, downlink: 1 MB/s}\nruns: [{kind: fedavg}]\n"
    )
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(ScenarioError, match=r"s\.yaml:4:19: evaluate\.every: .* write every or"):
        load(tmp_path / "s.yaml")


def test_some_nodes_models(records) -> None:
    """The mean over two of six is another than over all; drawn for the run, not the round."""
    every = records("dpsgd", rounds=2)
    some = records("dpsgd", rounds=2, evaluate={"models": 2})
    assert [a.accuracy != b.accuracy for a, b in zip(every, some, strict=True)] == [True, True]
    for all_, two in zip(every, some, strict=True):
        assert all_.accuracy_min <= two.accuracy_min <= two.accuracy_max <= all_.accuracy_max


def test_a_diverged_model_is_that_of_its_node(read) -> None:
    """Though few are tested."""
    evaluating = Evaluating(read(evaluate={"models": 2}))
    nodes = evaluating._nodes(9)
    assert len(nodes) == 2

    class Task:
        def evaluate(self, models, nodes):
            raise ModelDiverged(1)

    with pytest.raises(ModelDiverged) as caught:
        evaluating.evaluate(Task(), [None] * 9)
    assert caught.value.model == nodes[1]


def test_worth_is_means_and_spreads() -> None:
    """Of three models, two of which are validated."""
    validation = [Evaluation(1.0, 0.5), None, Evaluation(3.0, 0.7)]
    models = [
        Evaluation(loss, accuracy, {"macro_f1": accuracy / 2}, validated)
        for loss, accuracy, validated in zip((1, 2, 6), (0.2, 0.4, 0.9), validation, strict=True)
    ]
    found = worth(models)
    assert found == {
        "loss": 3,
        "accuracy": pytest.approx(0.5),
        "accuracy_min": 0.2,
        "accuracy_max": 0.9,
        "accuracy_std": pytest.approx(np.std([0.2, 0.4, 0.9])),
        "metrics": {"macro_f1": Spread(pytest.approx(0.25), 0.1, 0.45)},
        "validation_loss": 2,
        "validation_accuracy": pytest.approx(0.6),
    }
    assert worth([]) == {}
    alone = worth([Evaluation(1.0, None, {"rmse": 2.0})])
    assert alone == {"loss": 1, "metrics": {"rmse": Spread(2, 2, 2)}}


def test_results_show_validation_and_macro_f1(read, play, tmp_path) -> None:
    """In summary.json, rounds.parquet and the report."""
    changes = {"task": TASK | {"holdout": 0.3}, "network": NETWORK, "runs": [{"kind": "dpsgd"}]}
    play(read(**changes), tmp_path / "out")
    (run,) = json.loads((tmp_path / "out" / "summary.json").read_text())["runs"]
    rows = duckdb.sql(
        "select round, validation_loss, macro_f1, macro_f1_min, accuracy_std "
        f"from '{tmp_path}/out/rounds.parquet' order by validation_loss"
    ).fetchall()
    assert run["best_round"]["round"] == rows[0][0]
    assert run["best_round"]["validation_loss"] == rows[0][1]
    assert all(least < mean and std > 0 for _, _, mean, least, std in rows)
    assert run["metric"] == {
        "name": "accuracy",
        "final": run["final_accuracy"],
        "best": run["best_accuracy"],
    }
    assert "Best round by validation" in (tmp_path / "out" / "report.html").read_text()


def test_ratings_end_to_end(read, play, tmp_path) -> None:
    """A folder of results without any accuracy: RMSE in the summary, on the axes, in the table."""
    rng = np.random.default_rng(1)
    rows = [f"{u}\t{f}\t{(u + f) % 5 + 1}\t0" for u in range(12) for f in range(9)]
    (tmp_path / "u.data").write_text("\n".join(rng.permutation(rows).tolist()))
    task = {
        "dataset": "movielens",
        "model": {"kind": "matrix_factorisation", "rank": 4},
        "partition": "by_user",
        "lr": 0.2,
        "batch": 8,
        "local_steps": 20,
    }
    scenario = read(task=task, network=NETWORK, runs=[{"kind": "fedavg"}, {"kind": "dpsgd"}])
    from netsim.results.progress import run_progress
    from netsim.results.terminal import plain_table
    from netsim.studies.run import run_scenario

    with run_progress() as progress:
        outcomes = run_scenario(scenario, tmp_path / "out", tmp_path, progress)
    runs = json.loads((tmp_path / "out" / "summary.json").read_text())["runs"]
    for run in runs:
        assert run["status"] == "complete"
        assert run["final_accuracy"] is None
        assert run["time_to_accuracy_s"] == {}
        assert run["metric"]["name"] == "rmse"
        assert 0 < run["metric"]["best"] <= run["metric"]["final"] == run["final_metrics"]["rmse"]
    assert (tmp_path / "out" / "plots" / "rmse_over_time.svg").exists()
    assert "rmse" in plain_table([outcome.result for outcome in outcomes]).splitlines()[0]
