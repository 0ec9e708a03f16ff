"""What sections of a scenario must have in common."""

import pytest

from netsim.scenario.errors import ScenarioError
from netsim.studies.scenario import load

GOOD = """\
name: s
rounds: 1
volume: {parameters: 10}
network: {nodes: 4, uplink: 1 MB/s, downlink: 1 MB/s}
runs:
  - {kind: fedavg}
  - {kind: eris, aggregators: 4}
"""


@pytest.fixture
def lines(tmp_path):
    """The problems of a text, one line each, without the file's name."""

    def go(text):
        path = tmp_path / "s.yaml"
        path.write_text(text)
        try:
            load(path)
        except ScenarioError as error:
            return str(error).replace(f"{path}:", "").splitlines()
        return []

    return go


def test_a_good_one_has_no_problems(lines):
    """What the other tests start from."""
    assert lines(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("aggregators: 4", "aggregators: 5", "7:31: runs[1].aggregators: 5 aggregators among 4"),
        ("volume: {parameters: 10}\n", "", "write either task (what is trained) or volume"),
        (
            "kind: fedavg",
            "kind: shatter, virtual_nodes: 2, degree: 8",
            "6:47: runs[0].degree: 8 is not below the number of virtual nodes, 8",
        ),
        (
            "nodes: 4, uplink: 1 MB/s",
            "nodes: 3, uplink: [1 MB/s, 1 MB/s]",
            "network.uplink: 2 values for 3 nodes",
        ),
        (
            "kind: fedavg}",
            "kind: eris, masks: random, redraw: true}\nbarrier: none",
            "7:41: runs[0].redraw: redrawn masks need rounds that end together; write barrier: "
            "round (or phase)",
        ),
        (
            "kind: fedavg}",
            "kind: fedavg, aggregation: {kind: fsa, masks: random, redraw: true}}\nbarrier: none",
            "7:68: runs[0].aggregation.redraw: redrawn masks need rounds that end together",
        ),
        (
            "downlink: 1 MB/s",
            "downlink: 1 MB/s, latency: [1 ms, 0 s, 1 ms, 1 ms], "
            "transport: {kind: tcp, rtt_weights: true}",
            "network.transport.rtt_weights: node 1 has latency 0, so a round trip may take no time "
            "and have no weight; give every node a latency",
        ),
        (
            "downlink: 1 MB/s",
            "downlink: 1 MB/s, latency: 1 ms, sharing: fifo, "
            "transport: {kind: tcp, rtt_weights: true}",
            "network.transport: tcp needs sharing: max_min",
        ),
    ],
)
def test_each_problem_has_its_line(lines, old, new, problem):
    """At the value that is wrong where there is one."""
    text = GOOD.replace(old, new)
    if "barrier" in new:
        text = "barrier: none\n" + text.replace("\nbarrier: none", "")
    found = lines(text)
    assert len([line for line in found if problem in line]) == 1, found


def test_problems_between_sections_show_beside_errors_within_them(lines):
    """All at once: a dataset, a rate, an override, too many aggregators, an unknown kind."""
    text = (
        GOOD.replace("volume: {parameters: 10}", "task: {dataset: digts, model: mlp, lr: 0.1}")
        .replace("aggregators: 4", "aggregators: 9")
        .replace("uplink: 1 MB/s", "uplink: 20")
    )
    found = lines(text + "  - {kind: nope}\n")
    assert [line.split(": ")[1] for line in found] == [
        "task.dataset",
        "network.uplink",
        "runs[1].aggregators",
        "runs[2].kind",
    ]
    found = lines(
        GOOD.replace("parameters: 10", "parameters: 0").replace(
            "nodes: 4", "nodes: 4, overrides: {4: {}}"
        )
    )
    assert [line.split(": ")[1] for line in found] == ["volume.parameters", "network.overrides[4]"]


def test_two_runs_may_not_have_one_label(lines):
    """Both places are named."""
    text = GOOD.replace("kind: fedavg", "kind: fedavg, label: x")
    found = lines(text.replace("aggregators: 4", "label: x"))
    assert ["two runs are called 'x'" in line for line in found] == [True, True]


def test_runs_without_a_label_are_told_apart(read):
    """By what they are, then by number."""
    runs = [
        {"kind": "fedavg"},
        {"kind": "eris"},
        {"kind": "fedavg"},
        {"kind": "eris", "label": "e"},
    ]
    assert read(runs=runs).labels() == ["fedavg #1", "eris (A=6)", "fedavg #2", "e"]


def test_a_volume_refuses_a_protocol_whose_sizes_depend_on_values(lines):
    """CEPAM's messages are as long as what is in them."""
    text = GOOD.replace("{kind: fedavg}", "{kind: cepam_laplace}")
    assert lines(text) == ["6:5: runs[0]: message sizes depend on values; write task, not volume"]


def test_a_label_that_is_given_is_kept(read):
    """Numbers go around those that look like it."""
    runs = [{"kind": "fedavg"}, {"kind": "dpsgd", "label": "fedavg #1"}, {"kind": "fedavg"}]
    assert read(runs=runs).labels() == ["fedavg #2", "fedavg #1", "fedavg #3"]
    runs = [{"kind": "fedavg"}, {"kind": "dpsgd", "label": "fedavg"}]
    assert read(runs=runs).labels() == ["fedavg #1", "fedavg"]
