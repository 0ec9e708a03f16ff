"""What was trained on one network, timed on others: the results of full runs there."""

import dataclasses

import numpy as np
import pytest

from netsim.network.ledger import Diverged
from netsim.protocols import PROTOCOLS
from netsim.results.records import Transfers
from netsim.studies.replay.record import Record
from netsim.studies.replay.retime import retime, train
from netsim.studies.run import task_factory

KINDS = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
NETWORKS = {
    "slow": {"uplink": "0.3 MB/s", "downlink": "5 MB/s", "latency": "20 ms"},
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
]


@pytest.fixture
def scenario(read):
    """The tiny scenario with one run, and other settings and another network in it."""

    def make(run, network=None, **changes):
        rates = {"nodes": 6, "uplink": "1 MB/s", "downlink": "2 MB/s", "latency": "1 ms"}
        return read(runs=[run], network=rates | (network or {}), **changes)

    return make


def trained(scenario):
    """A full run and its record."""
    outcome, record = train(scenario, scenario.runs[0], "run", task_factory(scenario, None)(), _no)
    return outcome.result, record


def _no(_):
    """Nobody follows."""


def assert_same(one, other):
    """Every field of two results, to the bit."""
    for name in Transfers.columns():
        assert np.array_equal(getattr(one.transfers, name), getattr(other.transfers, name)), name
    for name in ("round", "link", "bits", "rate_bps", "length_s"):
        assert np.array_equal(getattr(one.links, name), getattr(other.links, name)), name
    rest = [f.name for f in dataclasses.fields(one) if f.name not in ("transfers", "links")]
    for name in rest:
        assert getattr(one, name) == getattr(other, name), name
    assert one.transfers.node_names == other.transfers.node_names
    assert one.transfers.kinds == other.transfers.kinds
    assert one.links.names == other.links.names


@pytest.mark.parametrize("kind", KINDS)
def test_timed_is_as_trained_on_another_network(scenario, kind, tmp_path):
    """Every protocol: rates, sharing, transport, computing and barriers change the times alone."""
    _, record = trained(scenario({"kind": kind}))
    record.save(tmp_path / "record")
    record = Record.load(tmp_path / "record")
    for name, network in NETWORKS.items():
        there = scenario({"kind": kind}, network, **(COMPUTING if name == "uneven" else {}))
        assert_same(retime(there, there.runs[0], "run", record), trained(there)[0])


@pytest.mark.parametrize("run", VALUES, ids=lambda run: f"{run['kind']}-{len(run)}")
def test_sizes_that_depend_on_values_are_those_on_record(scenario, run):
    """Quantised, pruned, sparse and mirrored messages, at a server and by shard."""
    first, record = trained(scenario(run))
    there = scenario(run, NETWORKS["slow"])
    assert_same(retime(there, there.runs[0], "run", record), trained(there)[0])
    assert record.known.model_digest == first.model_digest


def test_shards_by_rate_diverge(scenario):
    """They are other messages on other networks; on the same network they are on record."""
    run = {"kind": "eris", "aggregators": 3, "shards": "proportional"}
    first, record = trained(scenario(run))
    there = scenario(run, NETWORKS["uneven"])
    with pytest.raises(Diverged, match="other messages"):
        retime(there, there.runs[0], "run", record)
    here = scenario(run)
    assert_same(retime(here, here.runs[0], "run", record), first)
