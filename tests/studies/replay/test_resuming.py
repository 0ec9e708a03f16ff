"""A training that was stopped goes on from its last checkpoint and ends as if it never had been."""

import pytest

from netsim.protocols import PROTOCOLS
from netsim.results.errors import ResultsError
from netsim.studies.replay.checkpoint import Checkpoints
from netsim.studies.replay.training import train
from netsim.studies.run import task_factory

KINDS = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
ROUNDS = 4
FAILING = {
    "links": {"failures": {"links": {"kind": "per_round", "rate": 0.3}}},
    "nodes": {"failures": {"nodes": {"kind": "per_round", "rate": 0.3, "correlation": 0.2}}},
    "outages": {
        "failures": {
            "links": {"kind": "outages", "mtbf": "60 ms", "mttr": "20 ms"},
            "retries": {"times": 2, "backoff": "5 ms"},
        }
    },
    "deadline": {"failures": {"deadline": "30 ms"}, "barrier": "phase"},
    "free": {"barrier": "none", "compute": {"kind": "per_sample", "time": "100 us"}},
    "encoded": {"wire": "encode"},
    "watched": {
        "task": {
            "dataset": "digits",
            "model": "mlp",
            "samples_per_client": 12,
            "holdout": 0.3,
            "lr": 0.1,
            "momentum": 0.5,
            "schedule": {"kind": "plateau", "patience": 1, "threshold": 0.05},
        },
        "participation": 0.7,
    },
}
RESNET = {"kind": "resnet9", "width": 8}


class Stopped(ResultsError):
    """The process is gone."""


@pytest.fixture
def resumed(tmp_path):
    """The result of a run that is stopped after each of ``stops`` rounds, and the rounds heard."""

    def go(scenario, stops=(0, 2)):
        heard = []

        def listen(played):
            heard.append(played.round)

        checkpoints = Checkpoints(tmp_path / "kept", 0.0)
        make, run = task_factory(scenario, None), scenario.runs[0]
        for stop in stops:
            stopping = _stopping(checkpoints, stop)
            with pytest.raises(Stopped):
                train(scenario, run, "run", make, listen, stopping)
        outcome, record = train(scenario, run, "run", make, listen, checkpoints)
        return outcome.result, record, heard

    return go


def _stopping(checkpoints, stop):
    """Checkpoints that are the last thing a process does after this round."""

    class Stopping(Checkpoints):
        def save(self, checkpoint):
            super().save(checkpoint)
            if checkpoint.round == stop:
                raise Stopped

    return Stopping(checkpoints.folder, checkpoints.every_s)


@pytest.mark.parametrize("kind", KINDS)
def test_stopped_twice_is_as_never_stopped(scenario, trained, same, resumed, kind):
    """Every protocol, clients with momentum: results and records; each round is trained once."""
    there = scenario({"kind": kind}, rounds=ROUNDS)
    full, record = trained(there)
    result, again, heard = resumed(there)
    same(result, full)
    assert heard == [*range(ROUNDS)]
    assert again.course.evaluations == record.course.evaluations
    assert again.course.updates == record.course.updates


@pytest.mark.parametrize(
    "task",
    [
        {"estimator": {"kind": "svrg", "period": 3}},
        {"estimator": "saga"},
        {"local_epochs": 2, "momentum": 0.5},
    ],
    ids=str,
)
def test_what_clients_remember_is_remembered(scenario, trained, same, resumed, task):
    """Anchors, tables of gradients and momenta; rounds not evaluated leave updates unread."""
    base = {"dataset": "digits", "model": "mlp", "batch": 4, "samples_per_client": 10, "lr": 0.1}
    there = scenario({"kind": "fedavg"}, rounds=ROUNDS, task=base | task, evaluate={"every": 5})
    full, _ = trained(there)
    result, _, heard = resumed(there)
    same(result, full)
    assert heard == [*range(ROUNDS)]


RUNS = {
    "eris": {"kind": "eris", "aggregators": 4},
    "dsc": {"kind": "eris", "aggregators": 3, "compression": {"kind": "rand_k", "keep": 0.3}},
    "qsgd": {"kind": "eris", "aggregators": 3, "compression": {"kind": "qsgd", "levels": 4}},
    "mirrored": {
        "kind": "eris",
        "aggregators": 3,
        "compression": {
            "kind": "rand_k",
            "keep": 0.3,
            "masks": "shared",
            "downlink": "compressed",
        },
    },
    "redrawn": {
        "kind": "fedadam",
        "aggregation": {"kind": "fsa", "masks": "random", "redraw": True},
    },
    "pruned": {"kind": "priprune", "aggregation": {"kind": "fsa", "aggregators": 4}},
    "shatter": {"kind": "shatter", "virtual_nodes": 2, "degree": 3},
    "epidemic": {"kind": "epidemic", "degree": 3},
    "ako": {"kind": "ako", "partitions": 2},
    "top-k": {"kind": "sparse_dpsgd", "coordinates": "top_k"},
    "muffliato": {"kind": "muffliato", "gossip_rounds": 2},
}


OFTEN = ("dsc", "mirrored", "pruned", "shatter", "ako")
EACH = [
    pytest.param(run, trouble, marks=() if run in OFTEN else pytest.mark.slow)
    for run in RUNS
    for trouble in FAILING
    # Masks that are redrawn need rounds, mirrored references all clients in each.
    if (run, trouble) not in {("redrawn", "free"), ("mirrored", "watched")}
]


@pytest.mark.parametrize(("run", "trouble"), EACH)
def test_failures_come_again_as_they_were(scenario, trained, same, resumed, run, trouble):
    """Links, clients, outages with retries, deadlines, free-running rounds, real encoding; and a
    learning rate that watches validation, with some of the clients a round.
    """
    there = scenario(RUNS[run], rounds=ROUNDS, **FAILING[trouble])
    result, _, heard = resumed(there)
    same(result, trained(there)[0])
    assert heard == [*range(ROUNDS)]


def test_running_statistics_go_on_as_they_were(scenario, trained, same, resumed):
    """They are part of what is exchanged, and none of a client's momentum."""
    task = {"dataset": "digits", "model": RESNET, "samples_per_client": 8, "lr": 0.05}
    there = scenario(RUNS["dsc"], rounds=ROUNDS, task=task | {"momentum": 0.9})
    full, _ = trained(there)
    result, *_ = resumed(there)
    same(result, full)
