"""Small scenarios, run in this process."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netsim.results.progress import run_progress
from netsim.scenario.document import Document
from netsim.studies.run import Outcome, run_scenario
from netsim.studies.scenario import Scenario, load

TINY = """\
name: tiny
seed: 7
rounds: 3
task:
  dataset: digits
  model: mlp
  partition: {kind: dirichlet, alpha: 1.0}
  batch: 16
  local_steps: 2
  lr: 0.1
  momentum: 0.5
network: {nodes: 6, uplink: 1 MB/s, downlink: 2 MB/s, latency: 1 ms}
targets: [0.2, 0.99]
runs:
  - {kind: fedavg}
  - {kind: eris, aggregators: 6}
  - {kind: eris, label: dsc, aggregators: 3, compression: {kind: rand_k, keep: 0.3}}
  - {kind: shatter, virtual_nodes: 2, degree: 3}
  - {kind: epidemic, degree: 3}
"""


def _play(scenario: Scenario, out: Path) -> list[Outcome]:
    with run_progress(io.StringIO()) as progress:
        return run_scenario(scenario, out, None, progress)


@pytest.fixture
def read() -> Callable[..., Scenario]:
    """A scenario from a text, by default the tiny one, with other texts in place of some."""

    def go(text: str = TINY, **changes: Any) -> Scenario:
        scenario = Document.of(text, "s.yaml").parse(Scenario)
        return Scenario.model_validate(scenario.model_dump(mode="json") | changes)

    return go


@pytest.fixture
def play() -> Callable[[Scenario, Path], list[Outcome]]:
    """Runs a scenario into a folder."""
    return _play


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result folder of the tiny scenario."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.yaml").write_text(TINY)
    _play(load(folder / "tiny.yaml"), folder / "out")
    return folder / "out"


@pytest.fixture(scope="session")
def tiny_runs(tiny: Path) -> dict[str, dict[str, Any]]:
    """Its runs as ``summary.json`` has them, by label."""
    runs = json.loads((tiny / "summary.json").read_text())["runs"]
    return {run["label"]: run for run in runs}
