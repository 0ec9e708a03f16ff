"""Problems that only the whole scenario shows."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from netsim.scenario.document import Document
from netsim.scenario.errors import Finding, ScenarioError

TEXT = """\
name: a
network: {nodes: 4, uplink: 1 bit/s}
runs:
- {kind: eris, aggregators: 4}
- {kind: eris, aggregators: 5}
- {kind: eris, agregators: 6}
- {kind: eris, aggregators: 7}
"""


def _enough_nodes(scenario: Any) -> Iterator[Finding]:
    for index, run in enumerate(scenario.runs):
        if run.kind == "eris" and run.aggregators > scenario.network.nodes:
            nodes = scenario.network.nodes
            yield ("runs", index, "aggregators"), f"{run.aggregators} of {nodes} nodes"


def _whole(scenario: Any) -> Iterator[Finding]:
    if len(scenario.runs) != 4:
        yield ("runs",), "not four runs"


def test_checks_beside_errors_in_other_items(lines: Callable[..., list[str]]) -> None:
    """A misspelt run hides no other run, and nothing is said about the list that it left."""
    assert lines(TEXT, _enough_nodes, _whole) == [
        "s.yaml:5:29: runs[1].aggregators: 5 of 4 nodes",
        "s.yaml:6:16: runs[2].agregators: unknown key 'agregators'; did you mean 'aggregators'?",
        "s.yaml:7:29: runs[3].aggregators: 7 of 4 nodes",
    ]


def test_checks_wait_for_sections_they_may_need(lines: Callable[..., list[str]]) -> None:
    """With an error outside of lists no check runs."""
    assert lines(TEXT.replace("nodes: 4", "nodes: 0"), _enough_nodes) == [
        "s.yaml:2:18: network.nodes: must be at least 1, not 0",
        "s.yaml:6:16: runs[2].agregators: unknown key 'agregators'; did you mean 'aggregators'?",
    ]


def test_checks_alone(lines: Callable[..., list[str]]) -> None:
    """All checks speak when everything else is right."""
    text = TEXT.replace("- {kind: eris, agregators: 6}\n", "")
    assert lines(text, _enough_nodes, _whole) == [
        "s.yaml:4:1: runs: not four runs",
        "s.yaml:5:29: runs[1].aggregators: 5 of 4 nodes",
        "s.yaml:6:29: runs[2].aggregators: 7 of 4 nodes",
    ]


def test_nothing_remains_of_a_list(lines: Callable[..., list[str]]) -> None:
    """If what is left is no scenario, only the errors themselves come out."""
    assert lines("name: a\nruns: [5]", _enough_nodes) == [
        "s.yaml:2:8: runs[0]: must be 'fedavg', 'eris' or a mapping with a kind, not 5"
    ]


def test_check_after_parsing(scenario: type[Any]) -> None:
    """A place that the file leaves to a default is that of what is around it."""
    document = Document.of(TEXT.replace("agregators: 6", "label: x"), "s.yaml")
    document.parse(scenario)
    document.check([])
    with pytest.raises(ScenarioError) as caught:
        document.check([(("runs", 2, "aggregators"), "too many"), (("seed",), "taken")])
    assert str(caught.value) == "s.yaml:1:1: seed: taken\ns.yaml:6:3: runs[2].aggregators: too many"


def test_numbers_as_keys_are_found(scenario: type[Any]) -> None:
    """A mapping's key 1 is a number in the model and a text in the file."""
    text = "name: a\nnetwork: {nodes: 4, uplink: 1 bit/s, overrides: {1: {uplink: 2 bit/s}}}"
    document = Document.of(text, "s.yaml")
    assert document.parse(scenario).network.overrides[1].uplink == 2.0
    with pytest.raises(ScenarioError, match=r"s.yaml:2:62: network.overrides\[1\].uplink: no"):
        document.check([(("network", "overrides", 1, "uplink"), "no")])
