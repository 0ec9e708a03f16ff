"""``netsim explain``: reads the folder that ``netsim run`` left."""

import pytest
from typer.testing import CliRunner

from netsim.cli.app import app

SCENARIO = """\
name: two
rounds: 2
volume: {parameters: 25000}
network: {nodes: 2, uplink: [8 Mbit/s, 2 Mbit/s], downlink: 8 Mbit/s, latency: 10 ms}
compute: {kind: per_round, time: 100 ms}
runs: [{kind: fedavg}, {kind: dpsgd, label: "gossip é"}]
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A result folder of two runs."""
    folder = tmp_path_factory.mktemp("explain")
    (folder / "two.yaml").write_text(SCENARIO)
    done = CliRunner().invoke(app, ["run", str(folder / "two.yaml"), "--out", str(folder / "out")])
    assert done.exit_code == 0, done.output
    return folder / "out"


def explain(*arguments, **options):
    return CliRunner(**options).invoke(app, ["explain", *map(str, arguments)])


def test_a_round_of_one_run(result):
    """Client 1 takes 0.1 s to compute and 0.4 s to send 0.8 Mbit; its uplink is the bottleneck."""
    done = explain(result, "--round", 1, "--run", "fedavg")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("fedavg: round 1")
    steps = [line.split("  ")[1].strip() for line in lines[4:7]]
    assert steps == ["computation at node 1", "update from node 1 to server", steps[2]]
    assert steps[2] in ("model from server to node 0", "model from server to node 1")
    assert "The uplink of node 1 was busy 97.6 % of the 410 ms" in done.stdout


def test_the_slowest_round_of_each_run(result):
    """By default; a label that the terminal cannot show does not stop it."""
    done = explain(result, charset="ascii")
    assert done.exit_code == 0
    heads = [line for line in done.stdout.splitlines() if "the slowest of 2" in line]
    assert [head.split(":")[0] for head in heads] == ["fedavg", "gossip ?"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--round", 2), "no round 2; there are rounds 0 to 1"),
        (("--run", "eris"), "no run 'eris'; there are 'fedavg', 'gossip é'"),
        (("--round", -1), "Invalid value for '--round'"),
    ],
)
def test_what_is_not_there(result, arguments, says):
    """Exit code 2, a line on standard error, nothing on standard output."""
    done = explain(result, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr


def test_folders_that_are_no_result(tmp_path):
    """Exit code 2 as well."""
    (tmp_path / "s.yaml").write_text("name: a scenario")
    (tmp_path / "study" / "cells").mkdir(parents=True)
    for folder, says in (
        (tmp_path / "no", "no such folder"),
        (tmp_path, "is no netsim result"),
        (
            tmp_path / "study",
            f"is no netsim result; of a study name a cell, {tmp_path}/study/cells/",
        ),
        (tmp_path / "s.yaml", "is a file; write the folder of a result or a study (--out)"),
    ):
        done = explain(folder)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert says in done.stderr
