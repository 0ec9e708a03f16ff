"""How long local training takes."""

import json
from pathlib import Path

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.protocols.participation import Sampling
from netsim.scenario.csv_file import CsvError
from netsim.scenario.errors import ScenarioError
from netsim.studies.compute import PerRound, PerSample, Trace
from netsim.studies.scenario import load

CLASSES = [
    {"name": "fast", "share": 0.25, "uplink": "9 MB/s", "downlink": "9 MB/s"},
    {"name": "slow", "share": 0.75, "uplink": "1 MB/s", "downlink": "1 MB/s"},
]
NETWORK = {"nodes": 8, "uplink": "1 MB/s", "downlink": "1 MB/s"}


def times(config, clients=8, classes=(), samples=10, round=0):
    timer = config.timer(clients, classes, Streams(7))
    return [timer(client, round, samples) for client in range(clients)]


def parse(kind, **given):
    return kind.model_validate({"kind": kind.model_fields["kind"].default} | given)


def test_per_sample_and_per_round() -> None:
    """One time for all, or a list."""
    assert times(parse(PerSample, time="10 ms")) == pytest.approx([0.1] * 8)
    assert times(parse(PerRound, time="10 ms")) == [0.01] * 8
    assert times(parse(PerRound, time=["1 s", "2 s"]), clients=2) == [1, 2]


def test_a_distribution_is_drawn_once_a_client() -> None:
    """Clients differ, rounds do not; by the seed; the first clients whatever the others."""
    config = parse(PerSample, time={"kind": "lognormal", "median": "1 ms", "sigma": 0.5})
    first = times(config)
    assert len(set(first)) == 8
    assert times(config, round=5) == first
    assert times(config, clients=3) == first[:3]
    assert np.isclose(np.median(times(config, clients=4000)), 0.01, rtol=0.05)


def test_classes_have_times_of_their_own() -> None:
    """Drawn for one class, stated for all others."""
    uniform = {"kind": "uniform", "low": "3 s", "high": "4 s"}
    config = parse(PerRound, time="1 s", classes={"slow": uniform})
    names = ["fast", "slow", "slow", "fast"]
    found = times(config, clients=4, classes=names)
    assert found[0] == found[3] == 1
    assert 3 <= found[1] != found[2] <= 4


@pytest.fixture
def trace(tmp_path):
    """A file of times of two nodes."""

    def write(*lines: str, head: str = "node,round,time_s") -> Path:
        path = tmp_path / "times.csv"
        path.write_text("\n".join([head, *lines]) + "\n")
        return path

    return write


def test_a_trace_says_what_holds_from_a_round_on(trace) -> None:
    """Lines in any order; per sample or per round."""
    path = trace("1,4,0.5", "0,0,0.1", "1,0,0.2", "1,2,0.3")
    per_round = Trace(file=path, per="round")
    found = [times(per_round, clients=2, round=round) for round in range(6)]
    assert [first for first, _ in found] == [0.1] * 6
    assert [second for _, second in found] == [0.2, 0.2, 0.3, 0.3, 0.5, 0.5]
    assert times(Trace(file=path), clients=2, round=9) == pytest.approx([1.0, 5.0])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0,0,0.1"], r"times\.csv: no time from round 0 on for node 1"),
        (["0,0,0.1", "1,1,0.1"], "no time from round 0 on for node 1"),
        (
            ["0,0,0.1", "1,0,x"],
            r"times\.csv:3: time_s must be a number of seconds .* on, not 'x'",
        ),
        (["0,0"], r"times\.csv:2: has 2 values, not node,round,time_s"),
        (["2,0,1"], r":2: node must be a whole number from 0 to 1, not '2'"),
        (["0,-1,1"], r":2: round must be a whole number from 0 on, not '-1'"),
        (["0,0,-1"], r":2: time_s must be a number of seconds"),
        (["0,0,nan"], r":2: time_s must be a number of seconds"),
        (["0,0,1", "1,0,1", "1,0,2"], "two times for one node and round"),
    ],
)
def test_a_bad_trace_is_told(trace, lines, message) -> None:
    """By file and line."""
    with pytest.raises(CsvError, match=message):
        times(Trace(file=trace(*lines)), clients=2)


def test_a_trace_that_is_none(trace, tmp_path) -> None:
    """Another header, no file."""
    with pytest.raises(CsvError, match="first line must be node,round,time_s"):
        times(Trace(file=trace("0,0,1", head="client,round,time_s")))
    with pytest.raises(CsvError, match=r"none\.csv: cannot be read: No such file"):
        times(Trace(file=tmp_path / "none.csv"))
    with pytest.raises(CsvError, match=r"is no CSV file: field larger"):
        times(Trace(file=trace("0" * 200_000)))


@pytest.mark.parametrize(
    ("compute", "network", "message"),
    [
        ({"kind": "per_sample"}, NETWORK, "compute.time: missing key 'time'"),
        (
            {"kind": "per_sample", "classes": {"fast": "1 s"}},
            {"nodes": 8, "classes": CLASSES},
            "missing key 'time' (or a time for each class",
        ),
        (
            {"kind": "per_sample", "time": "1 s", "classes": {"fats": "1 s"}},
            {"nodes": 8, "classes": CLASSES},
            "unknown class 'fats'; did you mean 'fast'?",
        ),
        (
            {"kind": "per_sample", "time": "1 s", "classes": {"fast": "1 s"}},
            NETWORK,
            "unknown class 'fast'; the network has no classes",
        ),
        (
            {"kind": "per_round", "time": ["1 s", "2 s"]},
            NETWORK,
            "compute.time: 2 values for 8 nodes",
        ),
        (
            {"kind": "per_round", "time": "1 s", "classes": {"fast": ["1 s"] * 8}},
            {"nodes": 8, "classes": CLASSES},
            "a class has no list of its nodes",
        ),
        ({"kind": "per_round", "time": 3}, NETWORK, "has no unit"),
        ({"kind": "trace", "file": "none.csv"}, NETWORK, "compute.file: none.csv: "),
    ],
)
def test_what_does_not_fit_is_told(tmp_path, compute, network, message) -> None:
    """With its place in the file."""
    text = f"name: s\nrounds: 1\nvolume: {{parameters: 9}}\ncompute: {json.dumps(compute)}\n"
    text += f"network: {json.dumps(network)}\nruns: [{{kind: fedavg}}]\n"
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "s.yaml")
    assert message in str(caught.value)
    assert "s.yaml:4:" in str(caught.value)


def test_slow_classes_make_rounds_longer(read, play, tmp_path, monkeypatch) -> None:
    """End to end: eight nodes, the six slow ones take 2 s a round, the fast ones 1 s."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)
    compute = {"kind": "per_round", "time": "1 s", "classes": {"slow": "2 s"}}
    scenario = read(
        task={"dataset": "digits", "model": "mlp", "lr": 0.1, "samples_per_client": 4},
        network={"nodes": 8, "classes": CLASSES},
        compute=compute,
        rounds=2,
        runs=[{"kind": "fedavg"}],
    )
    (outcome,) = play(scenario, tmp_path / "out")
    (first, second) = outcome.result.rounds
    assert [first.compute_s, second.compute_s] == pytest.approx([2, 2])


def test_a_client_renews_its_anchor_in_rounds_it_trains_in(
    read, play, tmp_path, monkeypatch
) -> None:
    """SVRG every second round: 8 samples where the anchor is renewed, else 2 for each of a batch.

    Two of six clients train in a round, so that many begin in one that would renew none.
    """
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)
    svrg = {"kind": "svrg", "period": 2}
    task = {"dataset": "digits", "model": "mlp", "lr": 0.1, "samples_per_client": 8, "batch": 3}
    scenario = read(
        task=task | {"estimator": svrg},
        network=NETWORK | {"nodes": 6},
        compute={"kind": "per_sample", "time": "1 s"},
        participation=2,
        rounds=6,
        runs=[{"kind": "fedavg"}],
    )
    (outcome,) = play(scenario, tmp_path / "out")
    trainers = Sampling(2, range(6), Streams(scenario.seed)).trainers
    begun = set[int]()
    for round, record in enumerate(outcome.result.rounds):
        renews = [round % 2 == 0 or client not in begun for client in trainers(round)]
        begun.update(trainers(round))
        assert record.compute_s == pytest.approx(max(8 if each else 6 for each in renews))
    assert outcome.result.rounds[1].compute_s == 8
