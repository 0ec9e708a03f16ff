"""``netsim run`` with input that cannot be used: a line each, exit code 2, nothing left behind."""

import pytest

from netsim.learning.datasets import DATASETS

TASK = ("volume: {parameters: 1000}", "task: {dataset: digits, model: mlp, lr: 0.1}")


def refused(done, here, lines):
    """It ended with code 2, these lines alone on standard error, and no file but its own."""
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == lines
    assert [path.name for path in here.iterdir()] == ["s.yaml"]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            [("uplink: 1 MB/s", "uplink: 20")],
            "s.yaml:4:29: network.uplink: '20' has no unit; write '20 Mbit/s' or '20 MB/s'",
        ),
        (
            [("latency: 1 ms", "latency: -1 ms")],
            "s.yaml:4:64: network.latency: '-1 ms' is negative; a duration is zero or more",
        ),
        (
            [("aggregators: 4", "aggregators: 5")],
            "s.yaml:7:31: runs[1].aggregators: 5 aggregators among 4 clients; write at most 4",
        ),
        (
            [("kind: fedavg", "kind: shatter, virtual_nodes: 2, degree: 8")],
            "s.yaml:6:47: runs[0].degree: 8 is not below the number of virtual nodes, 8",
        ),
        (
            [
                ("kind: fedavg", "kind: shatter, virtual_nodes: 3, degree: 3"),
                ("nodes: 4", "nodes: 5"),
            ],
            "s.yaml:6:47: runs[0].degree: 3 × 15 virtual nodes is odd, so no such graph exists; "
            "write 4",
        ),
        (
            [("kind: fedavg", "kind: epidemic, degree: 3"), ("nodes: 4", "nodes: 5")],
            "s.yaml:6:30: runs[0].degree: 3 × 5 nodes is odd, so no such graph exists; write 4",
        ),
        (
            [("name: tiny", "name: ../tiny")],
            "s.yaml:1:7: name: is a name, not a path; the folder of a result is given by --out",
        ),
        (
            [("nodes: 4", f"nodes: {10**12}")],
            f"s.yaml:4:18: network.nodes: must be at most 1000000, not {10**12}",
        ),
        (
            [TASK, ("dataset: digits", "dataset: digts")],
            "s.yaml:3:17: task.dataset: unknown dataset 'digts'; did you mean 'digits'? "
            f"known: {', '.join(each.model_fields['kind'].default for each in DATASETS)}",
        ),
        (
            [("rounds: 1", "rounds: 1\nfailures: {links: {kind: per_round, rate: 10 %}}")],
            "s.yaml:3:43: failures.links.rate: must be a number, not the text '10 %'; write 0.1",
        ),
        (
            [("rounds: 1", "rounds: 1\ntargets: [80, 0.9]")],
            "s.yaml:3:11: targets[0]: must be at most 1, not 80; 80 % is 0.8",
        ),
        (
            [(TASK[0], f"{TASK[1][:-1]}, holdout: 12.5}}")],
            "s.yaml:3:55: task.holdout: must be less than 1, not 12.5; 12.5 % is 0.125",
        ),
        (
            [("runs:\n  - {kind: fedavg}\n  - {kind: eris, aggregators: 4}", "runs: fedavg")],
            "s.yaml:5:7: runs: must be a list, not 'fedavg'; write [fedavg]",
        ),
        (
            [("  - {kind: fedavg}\n  - {kind: eris, aggregators: 4}", "  {kind: fedavg}")],
            "s.yaml:6:3: runs: must be a list, not a mapping; begin each entry with '- '",
        ),
        (
            [("nodes: 4", "nodes: 4, overrides: {1: {compute: 3 s}}")],
            "s.yaml:4:37: network.overrides.1.compute: unknown key 'compute' here; it belongs at "
            "the top of the file",
        ),
        (
            [(TASK[0], TASK[1]), ("{kind: fedavg}", "{kind: fl_sdq, step: 1.0e-18}")],
            "s.yaml:6:26: runs[0].step: must be at least 1e-09, not 1e-18",
        ),
        (
            [("{kind: fedavg}", "{kind: fedavg_ldp, ldp: {noise_multiplier: 1.0e-200}}")],
            "s.yaml:6:48: runs[0].ldp.noise_multiplier: must be 0 or at least 1e-100",
        ),
        (
            [("volume: {parameters: 1000}\n", "")],
            "s.yaml:1:1: write either task (what is trained) or volume (a size only)",
        ),
    ],
)
def test_what_is_wrong_and_where(run, here, changes, line):
    """File, line, column, the value's place and what to write instead."""
    refused(run(*changes), here, [line])


def test_a_key_that_is_not_known(run, here):
    """With the keys that are."""
    done = run(("uplink: 1 MB/s", "bandwith: 1 MB/s"))
    lines = done.stderr.splitlines()
    refused(done, here, lines)
    assert lines[0].startswith("s.yaml:4:21: network.bandwith: unknown key 'bandwith'; known: ")
    assert [line for line in lines if "bandwith" in line] == lines[:1]


def test_a_protocol_that_is_not_known(run, here):
    """With the one that was meant."""
    done = run(("kind: eris", "kind: erris"))
    lines = done.stderr.splitlines()
    refused(done, here, lines)
    assert len(lines) == 1
    assert lines[0].startswith(
        "s.yaml:7:12: runs[1].kind: unknown kind 'erris'; did you mean 'eris'?"
    )


def test_all_errors_at_once(run, here):
    """In the order of the file, whatever section they are in."""
    done = run(
        TASK,
        ("dataset: digits", "dataset: digts"),
        ("uplink: 1 MB/s", "uplink: 20"),
        ("latency: 1 ms", "latency: -1 ms, bandwith: 3"),
        ("aggregators: 4", "aggregators: 5"),
        more="  - {kind: shatter, virtual_nodes: 2, degree: 8}\n  - {kind: nope}\n",
    )
    lines = done.stderr.splitlines()
    refused(done, here, lines)
    assert [line.split(": ")[1] for line in lines] == [
        "task.dataset",
        "network.uplink",
        "network.latency",
        "network.bandwith",
        "runs[1].aggregators",
        "runs[2].degree",
        "runs[3].kind",
    ]


def test_a_file_that_is_not_there(netsim, here):
    """Named as it was given."""
    done = netsim("run", "none.yaml", "--out", "out")
    assert (done.exit_code, done.stderr) == (2, "none.yaml: no such file\n")
    assert list(here.iterdir()) == []


def test_a_folder_in_place_of_a_file(netsim, here):
    """Also one line."""
    done = netsim("run", ".", "--out", "out")
    assert (done.exit_code, done.stderr) == (2, ".: a directory, not a file\n")


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("s.yaml", "is a file; a result needs a folder"),
        ("s.yaml/below", "cannot write"),
        (".", "holds files that are no netsim result"),
    ],
)
def test_an_out_that_cannot_be_written(netsim, written, here, monkeypatch, out, says):
    """Seen before anything runs."""
    monkeypatch.setattr("netsim.studies.resume.train", lambda *_: pytest.fail("it ran"))
    done = netsim("run", written, "--out", out)
    assert done.exit_code == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in here.iterdir()] == ["s.yaml"]


def test_data_that_is_not_there(run, here, monkeypatch):
    """What to fetch and where to put it; nothing is left behind."""
    monkeypatch.setenv("HOME", str(here / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "home"))
    monkeypatch.delenv("NETSIM_DATA", raising=False)
    done = run(TASK, ("dataset: digits", "dataset: mnist"))
    assert done.exit_code == 2
    assert "mnist" in done.stderr
    assert not (here / "out").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("name: [\n", "not valid YAML"),
        ("- 1\n", "s.yaml:1:1: "),
        ("name: \udc80", "not UTF-8"),
    ],
)
def test_a_file_that_is_no_scenario(netsim, here, text, says):
    """One line that says why."""
    (here / "s.yaml").write_bytes(text.encode(errors="surrogateescape"))
    done = netsim("run", "s.yaml", "--out", "out")
    assert says in done.stderr
    refused(done, here, done.stderr.splitlines()[:1])


def test_a_seed_that_is_none(netsim, written):
    """Refused like any other option."""
    done = netsim("run", written, "--seed", "-1")
    assert done.exit_code == 2
    assert "--seed" in done.stderr
