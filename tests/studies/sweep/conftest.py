"""Small studies, run in this process or by the command in processes of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from netsim.studies.sweep.jobs import Over, Settings
from netsim.studies.sweep.plan import Study, read_study
from netsim.studies.sweep.sweep import Ending, run_study
from netsim.studies.sweep.work import work
from netsim.studies.sweep.workers import Workers

STUDY = """\
name: small
seed: 7
rounds: 3
task: {dataset: digits, model: mlp, samples_per_client: 40, batch: 16, lr: 0.1, momentum: 0.5}
network: {nodes: 4, uplink: 1 MB/s, downlink: 2 MB/s, latency: 1 ms}
targets: [0.2, 0.99]
runs:
  - {kind: fedavg}
  - {kind: eris, label: dsc, aggregators: 3, compression: {kind: rand_k, keep: 0.3}}
sweep:
  grid:
    network.uplink: [300 kB/s, 1 MB/s, 5 MB/s]
    seed: [1, 2]
"""
GRID = "  grid:\n    network.uplink: [300 kB/s, 1 MB/s, 5 MB/s]\n    seed: [1, 2]\n"
COLUMNS = "id, label, seed, digest, model_digest, final_accuracy, simulated_time_s, failure"
COMMAND = [sys.executable, "-c", "from netsim.cli import main; main()", "sweep"]


class Inline(Workers):
    """One job at a time, in this process."""

    def __init__(self) -> None:
        self.jobs: list[Any] = []
        self.told: list[Any] = []

    def __enter__(self) -> "Inline":
        return self

    def __exit__(self, *raised: object) -> None:
        self.told.clear()

    @property
    def free(self) -> int:
        return int(not self.told)

    def start(self, job: Any) -> None:
        self.jobs.append(job)
        work(job, self.told.append)
        self.told.append(Over(job))

    def wait(self, timeout_s: float) -> list[Any]:
        told, self.told = self.told, []
        return told


@pytest.fixture
def inline() -> Inline:
    """Workers in this process; ``jobs`` are those they were given."""
    return Inline()


@pytest.fixture(scope="session")
def text() -> Callable[..., str]:
    """The small study, with (old, new) texts exchanged."""

    def changed(*changes: tuple[str, str]) -> str:
        text = STUDY
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return text

    return changed


@pytest.fixture
def study(tmp_path: Path, text: Callable[..., str]) -> Callable[..., Path]:
    """The file of the small study, with (old, new) texts exchanged."""

    def write(*changes: tuple[str, str]) -> Path:
        (tmp_path / "study.yaml").write_text(text(*changes))
        return tmp_path / "study.yaml"

    return write


@pytest.fixture
def planned(study: Callable[..., Path]) -> Callable[..., Study]:
    """The small study, with (old, new) texts exchanged."""
    return lambda *changes: read_study(study(*changes))


@pytest.fixture
def run(inline: Inline) -> Callable[..., Ending]:
    """Runs a study in this process, saving trainings after every round."""

    def go(planned: Study, out: Path, workers: Workers = inline) -> Ending:
        return run_study(planned, out, Settings(None, 0.0), workers, 1)

    return go


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small study, run undisturbed."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "study.yaml").write_text(STUDY)
    planned = read_study(folder / "study.yaml")
    run_study(planned, folder / "out", Settings(None, 60.0), Inline(), 1)
    return folder / "out"


@pytest.fixture(scope="session")
def table() -> Callable[..., list[tuple[Any, ...]]]:
    """Rows of a study's table, in its order, by default without what became of cells."""

    def rows(folder: Path, columns: str = COLUMNS) -> list[tuple[Any, ...]]:
        query = f"SELECT {columns} FROM read_parquet(?)"
        with duckdb.connect() as connection:
            return connection.execute(query, [str(folder / "study.parquet")]).fetchall()

    return rows


@pytest.fixture(scope="session")
def summaries() -> Callable[[Path], Mapping[str, Any]]:
    """What each cell in a folder came to, by its id."""

    def read(folder: Path) -> Mapping[str, Any]:
        found = sorted(folder.glob("cells/[0-9a-f]*/summary.json"))
        return {path.parent.name: json.loads(path.read_text())["runs"] for path in found}

    return read


@pytest.fixture(scope="session")
def start() -> Callable[..., "subprocess.Popen[str]"]:
    """Starts ``netsim sweep``, which saves trainings after every round, in a group of its own."""

    def go(file: Path, out: Path, *more: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*COMMAND, str(file), "--out", str(out), "--checkpoint", "0", *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )

    return go
