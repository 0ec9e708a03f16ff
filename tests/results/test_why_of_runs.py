"""Real runs on random networks: paths without gaps or waiting, links never more than full."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.results.progress import run_progress
from netsim.studies.run import run_protocol, task_factory
from netsim.studies.scenario import Scenario

RUNS = [
    {"kind": "fedavg"},
    {"kind": "eris", "aggregators": 3},
    {"kind": "shatter", "virtual_nodes": 2, "degree": 2},
    {"kind": "shatter", "virtual_nodes": 2, "degree": 2, "links": "own"},
    {"kind": "dpsgd"},
    {"kind": "epidemic", "degree": 2},
]


def play(seed, **changes):
    """The results of a run of each protocol for three rounds of a volume of 5000 parameters."""
    rng, nodes = Streams(seed).rng("test"), 6
    rates = [[f"{rate:.3f} Mbit/s" for rate in rng.uniform(1, 20, nodes)] for _ in range(2)]
    document = {
        "name": "random",
        "rounds": 3,
        "volume": {"parameters": 5000},
        "network": {"nodes": nodes, "uplink": rates[0], "downlink": rates[1], "latency": "3 ms"},
        "runs": RUNS,
    }
    for name, value in changes.items():
        document[name] = document["network"] | value if name == "network" else value
    scenario = Scenario.model_validate(document)
    make = task_factory(scenario, None)
    with run_progress() as progress:
        for config, label in zip(scenario.runs, scenario.labels(), strict=True):
            yield run_protocol(scenario, config, label, make(), progress).result


def check(run):
    """Every path covers its round, and no link carries more than it can."""
    for record in run.rounds:
        edges = [record.start_s, *(piece.end_s for piece in record.why.path)]
        assert [piece.start_s for piece in record.why.path] == edges[:-1], run.label
        assert edges[-1] == record.end_s
        assert 0 < record.why.bottleneck.utilisation <= 1
    use = run.links
    assert len(use.round)
    assert np.all(use.bits <= use.rate_bps * use.length_s * (1 + 1e-9)), run.label
    hops = 2 * int(run.transfers.sent_bits.sum())
    assert int(use.bits.sum()) == hops


@pytest.mark.parametrize("barrier", ["round", "phase"])
@pytest.mark.parametrize("sharing", ["max_min", "fifo"])
def test_nothing_waits_without_failures(barrier, sharing):
    """The path is made of transfers and computations alone: the cause of each is found."""
    compute = {"kind": "per_round", "time": "4 ms"}
    for run in play(1, barrier=barrier, compute=compute, network={"sharing": sharing}):
        check(run)
        assert not [p for r in run.rounds for p in r.why.path if p.what == "waiting"], run.label


def test_nodes_that_run_free():
    """Rounds overlap: paths still cover, and links are never more than full."""
    for run in play(2, barrier="none"):
        check(run)


@pytest.mark.parametrize(
    "failures",
    [
        {"links": {"kind": "per_round", "rate": 0.3}},
        {
            "links": {"kind": "outages", "mtbf": "50 ms", "mttr": "20 ms"},
            "retries": {"times": 3, "backoff": "5 ms"},
            "deadline": "120 ms",
        },
    ],
)
def test_with_failures(failures):
    """Aborted bits are part of what links carried."""
    for run in play(3, failures=failures, barrier="phase"):
        check(run)


def test_a_run_without_a_round():
    """A deadlock in the first round: no explanation, and nothing in the use of links."""
    rates = {"uplink": "0 bit/s", "downlink": "1 Mbit/s"}
    for run in play(4, network=rates, runs=RUNS[:1]):
        assert (run.failure, run.rounds, len(run.links.round)) == ("deadlock", (), 0)
