"""``netsim run`` as its user sees it."""

import json

import pytest


def test_a_run_ends_with_a_table_and_a_folder(run, here):
    """Exit code 0, one line a run, the folder named, and silence on standard error."""
    done = run()
    assert (done.exit_code, done.stderr) == (0, "")
    assert "fedavg" in done.stdout
    assert "eris (A=4)" in done.stdout
    assert done.stdout.endswith("results in out\n")
    summary = json.loads((here / "out" / "summary.json").read_text())
    assert [run["status"] for run in summary["runs"]] == ["complete"] * 2
    assert sorted(path.name for path in here.iterdir()) == ["out", "s.yaml"]


def test_without_out_it_goes_to_results(netsim, written, monkeypatch):
    """results/NAME; and ``--seed`` stands in the results in place of the scenario's."""
    results = []
    monkeypatch.setattr("netsim.results.folder.write", lambda *result: results.append(result))
    assert netsim("run", written, "--seed", "11").stdout.endswith("results in results/tiny\n")
    assert [(str(path), seed) for path, _, seed, *_ in results] == [("results/tiny", 11)]


@pytest.mark.parametrize(
    "change",
    [
        ("uplink: 1 MB/s", "uplink: [1 MB/s, 1 MB/s, 0 bit/s, 1 MB/s]"),
        ("nodes: 4", "nodes: 4, overrides: {2: {uplink: 0 bit/s}}"),
    ],
    ids=["list", "override"],
)
def test_a_rate_of_zero_ends_in_a_report(run, here, monkeypatch, change):
    """Exit code 3; each run names the node, what it waits for and the link; others too."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)
    done = run(change)
    assert done.exit_code == 3
    fedavg, eris = done.stderr.split("eris (A=4): ")
    lacks = "waits for 'update' of round 0 from node 2; the uplink of node 2 has rate 0"
    assert f"server {lacks}" in fedavg
    assert "node 2 waits for 'model' of round 0 from server" in fedavg
    assert f"node 0 {lacks}" in eris
    assert "failed: deadlock" in done.stdout


def test_a_downlink_of_zero_names_who_sends_to_it(run, monkeypatch):
    """Nobody can reach node 1."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)
    done = run(("nodes: 4", "nodes: 4, overrides: {1: {downlink: 0 bit/s}}"))
    assert done.exit_code == 3
    assert "server waits for 'model' to reach node 1; the downlink of node 1 has rate 0" in (
        done.stderr
    )


def test_a_rate_of_zero_is_written_down_like_any_other_result(run, here):
    """The folder is there, the runs are marked as failed."""
    run(("nodes: 4", "nodes: 4, overrides: {2: {uplink: 0 bit/s}}"))
    summary = json.loads((here / "out" / "summary.json").read_text())
    assert [each["status"] for each in summary["runs"]] == ["failed: deadlock"] * 2
    assert [each["rounds"] for each in summary["runs"]] == [0, 0]


@pytest.mark.parametrize(
    "change",
    [
        ("uplink: 1 MB/s", "uplink: 1e-300 bit/s"),
        ("uplink: 1 MB/s", "uplink: 1e-6 bit/s"),
        ("latency: 1 ms", "latency: 1e300 h"),
        ("rounds: 1", "rounds: 1\ncompute: {kind: per_round, time: 1e300 h}"),
    ],
)
def test_what_takes_centuries_never_ends(run, here, change):
    """A deadlock as any other, whose report says up to when; all files of the result are there."""
    done = run(change)
    assert done.exit_code == 3
    assert done.stderr.count("and up to 9e+09 s, but these wait:") == 2
    assert json.loads((here / "out" / "trace.json").read_text())["traceEvents"]


def test_training_that_diverges_is_code_1(run, monkeypatch):
    """Each failed run is named with round and model, and the table is shown all the same."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)
    task = "task: {dataset: digits, model: mlp, samples_per_client: 4, lr: 1.0e+30}"
    done = run(("volume: {parameters: 1000}", task), more="  - {kind: dpsgd}\n")
    assert done.exit_code == 1
    assert [line.split(": ")[:2] for line in done.stderr.splitlines()] == [
        ["fedavg", "the model diverged in round 0"],
        ["eris (A=4)", "the model diverged in round 0"],
        ["dpsgd", "the model of node 0 diverged in round 0"],
    ]
    assert "results in out" in done.stdout
