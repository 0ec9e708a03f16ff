"""``summary.json`` keeps its contract."""

import dataclasses
import json

import pytest

from netsim.learning.metrics import METRIC
from netsim.results.records import Spread
from netsim.results.summary import summary, to_json


def _parsed(runs):
    def refuse(name):
        raise AssertionError(f"{name} in JSON")

    return json.loads(to_json(summary("quick", 7, runs)), parse_constant=refuse)


def test_the_keys_of_the_contract(make_run):
    """All of them, in their order, with the units in their names."""
    document = _parsed([make_run()])
    assert list(document) == ["scenario", "seed", "runs"]
    (run,) = document["runs"]
    assert list(run) == [
        "label",
        "protocol",
        "params",
        "rounds",
        "final_accuracy",
        "best_accuracy",
        "metric",
        "final_metrics",
        "best_round",
        "simulated_time_s",
        "distribution_time_s",
        "bytes",
        "bytes_by_role",
        "clients_without_samples",
        "messages",
        "aborted_messages",
        "time_to_accuracy_s",
        "seen_share",
        "bound",
        "digest",
        "model_digest",
        "status",
    ]
    assert list(run["distribution_time_s"]) == ["mean", "min", "max", "total"]
    assert list(run["bound"]) == ["formula", "formula_s", "optimum_s", "ratio"]


def test_figures_by_hand(make_run):
    """Four nodes, three rounds of 2 × 12 messages of 1 MB, one of them cut at half."""
    (run,) = _parsed([make_run()])["runs"]
    assert run["rounds"] == 3
    assert run["simulated_time_s"] == 3.0
    assert run["distribution_time_s"]["total"] == pytest.approx(3 * 0.8)
    assert run["bytes"] == {
        "payload": 72_000_000 - 72 * 4,
        "wire": 72_000_000,
        "sent": 71_500_000,
        "delivered": 71_000_000,
        "lost": 500_000,
        "upload_per_node": 71_500_000 // 4,
        "upload_per_node_max": 18_000_000,
        "download_per_node": 71_000_000 // 4,
        "download_per_node_max": 18_000_000,
        "local_messages": 24,
    }
    assert run["bytes_by_role"]["client"] == {"upload": 35_500_000, "download": 36_000_000}
    assert run["messages"] == {"model": 48, "shard": 48}
    assert run["aborted_messages"] == 1


def test_time_to_accuracy_is_the_end_of_the_first_round_that_reaches_it(make_run):
    """Accuracies 0.434, 0.637, 0.760: 0.5 is reached by the second round, 0.925 never."""
    (run,) = _parsed([make_run()])["runs"]
    assert run["time_to_accuracy_s"] == {"0.50": 2.0, "0.925": None}
    assert run["final_accuracy"] == run["best_accuracy"] == pytest.approx(0.7603, abs=1e-4)


def test_final_accuracy_is_the_last_measured_and_best_the_highest(make_run):
    """Accuracy may fall, and the last round may not be evaluated."""
    made = make_run(rounds=4)
    values = [0.3, 0.9, 0.7, None]
    rounds = [
        dataclasses.replace(record, accuracy=value)
        for record, value in zip(made.rounds, values, strict=True)
    ]
    (run,) = _parsed([dataclasses.replace(made, rounds=tuple(rounds))])["runs"]
    assert (run["final_accuracy"], run["best_accuracy"]) == (0.7, 0.9)


@pytest.mark.parametrize(
    ("shares", "mean"), [((0.5, 0.25, 0.75), 0.5), ((0.0, 0.0, 0.0), 0.0), ((0.5, None, 0.5), None)]
)
def test_the_share_seen_is_the_mean_over_rounds(make_run, shares, mean):
    """None where a round has none: a mean over some rounds would be another figure."""
    made = make_run()
    rounds = [
        dataclasses.replace(record, seen_share=share)
        for record, share in zip(made.rounds, shares, strict=True)
    ]
    (run,) = _parsed([dataclasses.replace(made, rounds=tuple(rounds))])["runs"]
    assert run["seen_share"] == mean


def test_what_was_not_measured_is_null(volume_run):
    """Sizes alone, rounds that overlap: nulls, not zeros and not NaN."""
    (run,) = _parsed([volume_run])["runs"]
    missing = ("final_accuracy", "best_accuracy", "seen_share", "bound", "model_digest")
    assert [run[name] for name in missing] == [None] * 5
    assert set(run["distribution_time_s"].values()) == {None}
    assert run["time_to_accuracy_s"] == {}


def test_a_round_that_overlaps_has_no_part_in_the_mean_and_leaves_no_total(make_run):
    """Two rounds of 0.8 s and one that cannot be told."""
    made = make_run()
    rounds = (*made.rounds[:2], dataclasses.replace(made.rounds[2], distribution_s=None))
    (run,) = _parsed([dataclasses.replace(made, rounds=rounds)])["runs"]
    assert run["distribution_time_s"]["mean"] == pytest.approx(0.8)
    assert run["distribution_time_s"]["total"] is None


def test_a_run_that_failed_before_its_first_round(make_run):
    """Zero rounds are a result too."""
    (run,) = _parsed([make_run(rounds=0, failure="deadlock")])["runs"]
    assert (run["rounds"], run["simulated_time_s"]) == (0, 0.0)
    assert run["status"] == "failed: deadlock"


def test_bytes_may_have_a_fraction(make_run):
    """12 bits are 1.5 bytes: each node sends 3 × 2 × 3 messages of 12 bits, one sends less."""
    (run,) = _parsed([make_run(bits=12)])["runs"]
    assert run["bytes"]["upload_per_node_max"] == 18 * 1.5
    assert run["bytes"]["sent"] == 71 * 1.5 + 0.75


def test_infinite_parameters_become_text(make_run):
    """JSON has no infinity."""
    params = {"deadline_s": float("inf"), "nested": [{"x": float("nan")}]}
    (run,) = _parsed([make_run(params=params)])["runs"]
    assert run["params"] == {"deadline_s": "inf", "nested": [{"x": "nan"}]}


def test_numbers_that_are_none_are_refused():
    """Should one get through, writing fails instead of leaving broken JSON."""
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json({"loss": float("nan")})


def test_another_metric_than_accuracy(make_run):
    """RMSE falls: the best is the least; there is no accuracy, and none is made up."""
    made = make_run()
    rounds = tuple(
        dataclasses.replace(record, accuracy=None, metrics={"rmse": Spread(value, value, value)})
        for record, value in zip(made.rounds, (1.2, 0.9, 1.0), strict=True)
    )
    run = dataclasses.replace(made, rounds=rounds, metric=METRIC["rating"], targets=())
    (found,) = _parsed([run])["runs"]
    assert found["metric"] == {"name": "rmse", "final": 1.0, "best": 0.9}
    assert found["final_metrics"] == {"rmse": 1.0}
    assert found["final_accuracy"] is found["best_accuracy"] is None


def test_the_best_round_is_that_of_least_validation_loss(make_run):
    """The first of them; none without validation."""
    made = make_run(rounds=4)
    assert _parsed([made])["runs"][0]["best_round"] is None
    losses = (0.5, None, 0.2, 0.2)
    rounds = tuple(
        dataclasses.replace(record, validation_loss=loss, validation_accuracy=0.5)
        for record, loss in zip(made.rounds, losses, strict=True)
    )
    (found,) = _parsed([dataclasses.replace(made, rounds=rounds)])["runs"]
    assert found["best_round"] == {
        "round": 2,
        "validation_loss": 0.2,
        "validation_accuracy": 0.5,
        "accuracy": made.rounds[2].accuracy,
    }
