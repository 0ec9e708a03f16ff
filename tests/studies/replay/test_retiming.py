"""What was trained on one network, timed on others: the results of full runs there."""

import pytest

from netsim.network.ledger import Diverged
from netsim.protocols import PROTOCOLS
from netsim.studies.replay.record import Record
from netsim.studies.replay.retime import retime

KINDS = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
NETWORKS = {
    "uneven": {
        "uplink": {"kind": "lognormal", "median": "2 MB/s", "sigma": 0.8},
        "downlink": "1 MB/s",
        "latency": {"kind": "uniform", "low": "1 ms", "high": "90 ms"},
        "sharing": "fifo",
    },
    "tcp": {"uplink": "3 MB/s", "downlink": "3 MB/s", "transport": "tcp", "count": "payload"},
}
COMPUTING = {"compute": {"kind": "per_sample", "time": "3 ms"}, "barrier": "phase"}
VALUES = [
    {"kind": "eris", "aggregators": 3, "compression": {"kind": "qsgd", "levels": 4}},
    {"kind": "eris", "compression": {"kind": "bernoulli", "keep": 0.3}, "redraw": False},
    {"kind": "cepam_gaussian", "aggregation": {"kind": "fsa", "aggregators": 4}},
    {"kind": "priprune", "aggregation": {"kind": "fsa", "aggregators": 4}},
    {"kind": "soteriafl", "compression": {"kind": "sdq", "step": 0.1}},
    {
        "kind": "eris",
        "aggregators": 3,
        "compression": {
            "kind": "rand_k",
            "keep": 0.3,
            "masks": "shared",
            "downlink": "compressed",
        },
    },
    {"kind": "fedadam", "aggregation": {"kind": "fsa", "masks": "random", "redraw": True}},
    {"kind": "sparse_dpsgd", "coordinates": "top_k"},
]


@pytest.mark.parametrize("kind", KINDS)
def test_timed_is_as_trained_on_another_network(scenario, trained, same, kind, tmp_path):
    """Every protocol: rates, sharing, transport, computing and barriers change the times alone."""
    _, record = trained(scenario({"kind": kind}))
    record.save(tmp_path / "record")
    record = Record.load(tmp_path / "record")
    for name, network in NETWORKS.items():
        there = scenario({"kind": kind}, network, **(COMPUTING if name == "uneven" else {}))
        same(retime(there, there.runs[0], "run", record), trained(there)[0])


@pytest.mark.parametrize("run", VALUES, ids=lambda run: f"{run['kind']}-{len(run)}")
def test_sizes_that_depend_on_values_are_those_on_record(scenario, trained, same, run):
    """Quantised, pruned, sparse and mirrored messages, at a server and by shard."""
    first, record = trained(scenario(run))
    there = scenario(run, NETWORKS["tcp"])
    same(retime(there, there.runs[0], "run", record), trained(there)[0])
    assert record.known.model_digest == first.model_digest


def test_learning_rates_are_those_on_record(scenario, trained, same):
    """A watched rate falls where the models that were trained got no better."""
    run, plateau = {"kind": "fedavg"}, {"kind": "plateau", "patience": 1, "threshold": 1.0}
    task = {"dataset": "digits", "model": "mlp", "lr": 0.5, "schedule": plateau}
    often = {"task": task, "evaluate": {"every": 1}}
    _, record = trained(scenario(run, **often))
    there = scenario(run, NETWORKS["uneven"], **often)
    full, _ = trained(there)
    assert [record.lr for record in full.rounds] == [0.5, 0.5, 0.25]
    same(retime(there, there.runs[0], "run", record), full)


def test_uneven_work_takes_its_time_again(scenario, trained, same):
    """Passes over parts of any size, and the full gradients of every other round."""
    run, slow = {"kind": "fednova"}, {"kind": "per_sample", "time": "2 ms"}
    task = {"dataset": "digits", "model": "mlp", "batch": 50, "local_epochs": 1, "lr": 0.1}
    task |= {"partition": {"kind": "dirichlet", "alpha": 0.5}}
    task |= {"estimator": {"kind": "svrg", "period": 2}}
    _, record = trained(scenario(run, task=task))
    there = scenario(run, NETWORKS["uneven"], task=task, compute=slow)
    full, _ = trained(there)
    same(retime(there, there.runs[0], "run", record), full)
    assert full.rounds[0].compute_s > full.rounds[1].compute_s > 0


def test_notes_are_those_of_a_run_that_leaves_no_record(scenario, trained, play, tmp_path):
    """Facts of the task that protocols report: how often a sample takes part, local steps."""
    there = scenario({"kind": "cepam_gaussian"})
    (outcome,) = play(there, tmp_path / "out")
    assert trained(there)[0].params == outcome.result.params


def test_shards_by_rate_diverge(scenario, trained, same):
    """They are other messages on other networks; on the same network they are on record."""
    run = {"kind": "eris", "aggregators": 3, "shards": "proportional"}
    first, record = trained(scenario(run))
    there = scenario(run, NETWORKS["uneven"])
    with pytest.raises(Diverged, match="other messages"):
        retime(there, there.runs[0], "run", record)
    here = scenario(run)
    same(retime(here, here.runs[0], "run", record), first)


@pytest.mark.parametrize(
    ("recorded", "asked", "text"),
    [
        ({}, {"rounds": 4}, "an update of client . in round 3 is not on record"),
        ({"evaluate": {"every": 3}}, {"evaluate": {"every": 1}}, "evaluation 1 is not on record"),
        ({"evaluate": {"every": 1}}, {"evaluate": {"every": 3}}, "after other rounds"),
        ({"rounds": 4}, {"rounds": 2}, "after other rounds"),
        ({}, {"network": {"uplink": "0 bit/s"}}, "ends in a deadlock"),
        ({}, {"failures": {"nodes": {"kind": "per_round", "rate": 0.5}}}, "other messages"),
    ],
    ids=["update", "evaluation", "fewer evaluations", "fewer rounds", "deadlock", "failures"],
)
def test_what_is_not_on_record_diverges(scenario, trained, recorded, asked, text):
    """Rounds, evaluations and messages beyond the record or missing; runs that do not end."""
    run = {"kind": "fedavg"}
    _, record = trained(scenario(run, **recorded))
    there = scenario(run, **asked)
    with pytest.raises(Diverged, match=text):
        retime(there, run_of(there), "run", record)


def test_another_protocol_diverges(scenario, trained):
    """It asks for the same updates and sends other messages."""
    _, record = trained(scenario({"kind": "fedavg"}))
    there = scenario({"kind": "eris"})
    with pytest.raises(Diverged, match="other messages"):
        retime(there, run_of(there), "run", record)


def run_of(scenario):
    """The one run of a scenario."""
    return scenario.runs[0]
