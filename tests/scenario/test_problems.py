"""Bad scenarios and the exact lines that say so."""

import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netsim.scenario.errors import Problem, ScenarioError

TABLE = [
    ("name: 2024", ["1:7: name: must be text, not 2024; put it in quotes"]),
    ("name:", ["1:6: name: must be text, not empty"]),
    ("name: [a]", ["1:7: name: must be text, not a list"]),
    ("seed: 1", ["1:1: name: missing key 'name'"]),
    ("name: a\nrounds: 0", ["2:9: rounds: must be at least 1, not 0"]),
    ("name: a\nrounds: '5'", ["2:9: rounds: must be a whole number, not the text '5'"]),
    ("name: a\nrounds: 1e3", ["2:9: rounds: must be a whole number, not 1000.0; write 1000"]),
    ("name: a\nrounds: true", ["2:9: rounds: must be a whole number, not true"]),
    (
        "name: a\nbarrier: rond",
        ["2:10: barrier: must be 'phase', 'round' or 'none', not 'rond'; did you mean 'round'?"],
    ),
    (
        "name: a\nbarrier: {}",
        ["2:10: barrier: must be 'phase', 'round' or 'none', not a mapping"],
    ),
    ("name: a\ntask: digits", ["2:7: task: must be a mapping, not 'digits'"]),
    ("name: a\ntask:\n  lr: 1", ["2:1: task.dataset: missing key 'dataset'"]),
    (
        "name: a\ntask: {dataset: d, lr: .inf}",
        ["2:24: task.lr: must be a finite number, not inf"],
    ),
    ("name: a\ntask: {dataset: d, lr: 1e999}", ["2:24: task.lr: must be a finite number, not inf"]),
    (
        "name: a\ntask: {dataset: d, nesterov: no}",
        ["2:30: task.nesterov: must be true or false, not the text 'no'"],
    ),
    (
        "name: a\ntask: {dataset: d, batch: ful}",
        [
            "2:27: task.batch: must be a whole number or 'full', not the text 'ful'; "
            "did you mean 'full'?"
        ],
    ),
    ("name: a\ntask: {dataset: d, batch: 0}", ["2:27: task.batch: must be at least 1, not 0"]),
    (
        "name: a\ntask: {dataset: d, partition: idd}",
        ["2:31: task.partition: unknown kind 'idd'; did you mean 'iid'? known: iid, dirichlet"],
    ),
    (
        "name: a\ntask: {dataset: d, partition: {kind: shards}}",
        ["2:38: task.partition.kind: unknown kind 'shards'; known: iid, dirichlet"],
    ),
    (
        "name: a\ntask: {dataset: d, partition: {alpha: 1}}",
        ["2:20: task.partition.kind: missing key 'kind'; known: iid, dirichlet"],
    ),
    (
        "name: a\ntask: {dataset: d, partition: {kimd: iid}}",
        ["2:32: task.partition.kimd: unknown key 'kimd'; did you mean 'kind'?"],
    ),
    (
        "name: a\ntask: {dataset: d, partition: 5}",
        ["2:31: task.partition: must be 'iid', 'dirichlet' or a mapping with a kind, not 5"],
    ),
    (
        "name: a\ntask: {dataset: d, partition: {kind: }}",
        ["2:37: task.partition.kind: no kind given; known: iid, dirichlet"],
    ),
    (
        "name: a\ntask: {dataset: d, partition: dirichlet}",
        ["2:20: task.partition.alpha: missing key 'alpha'"],
    ),
    (
        "name: a\ntask: {dataset: d, partition: {kind: dirichlet, alhpa: 1}}",
        ["2:49: task.partition.alhpa: unknown key 'alhpa'; did you mean 'alpha'?"],
    ),
    (
        "name: a\ncompute: nonee",
        [
            "2:10: compute: must be 'none', 'fixed' or a mapping with a kind, not 'nonee'; "
            "did you mean 'none'?"
        ],
    ),
    (
        "name: a\ncompute: {kind: fixd}",
        ["2:17: compute.kind: unknown kind 'fixd'; did you mean 'fixed'? known: fixed"],
    ),
    (
        "name: a\ncompute: {kind: fixed, time: 3}",
        ["2:30: compute.time: '3' has no unit; write '3 ms' or '3 s'"],
    ),
    (
        "name: a\nnetwork:\n  nodes: 2\n  uplink: 20",
        ["4:11: network.uplink: '20' has no unit; write '20 Mbit/s' or '20 MB/s'"],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplink: [1 bit/s, 20]}",
        ["2:39: network.uplink[1]: '20' has no unit; write '20 Mbit/s' or '20 MB/s'"],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplink: fast}",
        ["2:29: network.uplink: must be a rate such as '20 Mbit/s' or a list, not 'fast'"],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplink: 1 bit/s, downlink: 0 bit/s}",
        ["2:48: network.downlink: must be more than 0 bit/s, not '0 bit/s'"],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplink: 1 bit/s, half_duplex: true, latency: 0 s}",
        ["2:10: network: half_duplex needs a latency"],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplink: 1 bit/s, overrides: {1: {uplnk: 1 bit/s}, x: {}}}",
        [
            "2:54: network.overrides.1.uplnk: unknown key 'uplnk'; did you mean 'uplink'?",
            "2:71: network.overrides.x: the key must be a whole number, not the text 'x'",
        ],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplink: 1 bit/s, seed: 3}",
        ["2:38: network.seed: unknown key 'seed' here; it belongs at the top of the file"],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplnk: 1 bit/s}",
        ["2:21: network.uplnk: unknown key 'uplnk'; did you mean 'uplink'?"],
    ),
    (
        "name: a\nnetwork: {nodes: 2, uplink: 1 bit/s, colour: red}",
        [
            "2:38: network.colour: unknown key 'colour'; known: nodes, uplink, downlink, latency, "
            "header, overrides, half_duplex"
        ],
    ),
    ("name: a\nruns: []", ["2:7: runs: must have at least 1 entry"]),
    ("name: a\nruns: eris", ["2:7: runs: must be a list, not 'eris'; write [eris]"]),
    (
        "name: a\nruns:\n- fedavg\n- {kind: eris, aggregators: 0, agregators: 3}",
        [
            "4:29: runs[1].aggregators: must be at least 1, not 0",
            "4:32: runs[1].agregators: unknown key 'agregators'; did you mean 'aggregators'?",
        ],
    ),
    (
        "name: a\nruns:\n- {kind: eris, compression: {kind: rand_k, keep: 2}}",
        ["3:50: runs[0].compression.keep: must be at most 1, not 2; 2 % is 0.02"],
    ),
    (
        "name: a\nruns:\n- {kind: eris, compression: {kind: rand_k}}",
        ["3:16: runs[0].compression.keep: missing key 'keep'"],
    ),
    (
        "name: a\nruns:\n- {kind: fedavg, aggregators: 3}",
        ["3:18: runs[0].aggregators: unknown key 'aggregators'; known: kind, label"],
    ),
    (
        'name: a\n"x y.z\\n": 1',
        [
            r"2:1: ['x y.z\n']: unknown key 'x y.z\n'; known: name, seed, rounds, barrier, "
            "compute, task, network, runs"
        ],
    ),
    (
        "fast: &f {kind: eris, aggregators: -1}\nname: a\nruns: [*f, {<<: *f, label: 3}]",
        [
            "1:1: fast: unknown key 'fast'; known: name, seed, rounds, barrier, compute, task, "
            "network, runs",
            "1:36: runs[0].aggregators: must be at least 1, not -1",
            "1:36: runs[1].aggregators: must be at least 1, not -1",
            "3:28: runs[1].label: must be text, not 3; put it in quotes",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_table(lines: Callable[..., list[str]], text: str, expected: list[str]) -> None:
    """Line and column are of the value, or of the key if that is at fault."""
    assert lines(text) == [f"s.yaml:{line}" for line in expected]


def test_all_at_once_in_the_order_of_the_file(lines: Callable[..., list[str]]) -> None:
    """Every section speaks, sorted by line."""
    text = "rounds: 0\nname: 1\nruns: [{kind: x}, 5]\nseed: a\ntask: {lr: b}"
    starts = [line.split()[0] for line in lines(text)]
    assert starts == ["s.yaml:1:9:", "s.yaml:2:7:", "s.yaml:3:15:", "s.yaml:3:19:", "s.yaml:4:7:",
                      "s.yaml:5:1:", "s.yaml:5:12:"]  # fmt: skip


@pytest.mark.parametrize("text", [case for case, _ in TABLE])
def test_no_words_of_pydantic(lines: Callable[..., list[str]], text: str) -> None:
    """Neither its addresses nor its phrases reach the user."""
    for line in lines(text):
        assert "http" not in line
        assert "Input should" not in line


KEYS = st.sampled_from(
    ["name", "rounds", "barrier", "compute", "task", "network", "runs", "dataset", "partition",
     "batch", "kind", "alpha", "nodes", "uplink", "overrides", "time", "aggregators", "1", "x"]
)  # fmt: skip
LEAVES = st.sampled_from(
    [None, True, -1, 0, 3, 2.5, "", "iid", "dirichlet", "eris", "fedavg", "fixed", "none", "full",
     "20 Mbit/s", "20", "phase"]
)  # fmt: skip
DATA = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5)
)


@settings(deadline=None)
@given(st.dictionaries(KEYS, DATA, min_size=1))
def test_any_data_is_a_scenario_or_plain_lines(
    lines: Callable[..., list[str]], data: dict[str, Any]
) -> None:
    """Whatever stands where, each line has a place and none has the words of pydantic."""
    for line in lines(json.dumps(data)):
        assert re.match(r"s\.yaml:1:\d+: [a-z1]", line)
        assert "Input should" not in line


def test_error_travels_between_processes() -> None:
    """Pickled and back, an error says the same; twice the same problem is one."""
    problem = Problem(("runs", 1, "aggregators"), "too\nmany", "s.yaml", 3, 4)
    error = ScenarioError([problem, problem, Problem((), "no such file", "s.yaml")])
    text = "s.yaml: no such file\ns.yaml:3:4: runs[1].aggregators: too many"
    assert str(error) == text
    assert str(pickle.loads(pickle.dumps(error))) == text
