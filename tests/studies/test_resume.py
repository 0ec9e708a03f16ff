"""``netsim run`` that was stopped goes on with what it has."""

import io
import json

import pytest

from netsim.results.errors import ResultsError
from netsim.results.progress import run_progress
from netsim.studies import resume
from netsim.studies.replay.checkpoint import Checkpoints
from netsim.studies.resume import run_resumably

RUNS = [{"kind": "fedavg"}, {"kind": "eris", "aggregators": 6}, {"kind": "epidemic", "degree": 3}]


class Stopped(ResultsError):
    """The process is gone."""


@pytest.fixture
def go(read, tmp_path, monkeypatch):
    """Runs three protocols resumably, stopped when this many checkpoints are written; the labels
    that were trained."""
    trained = []
    real = resume.train

    def train(scenario, config, label, *rest):
        trained.append(label)
        return real(scenario, config, label, *rest)

    monkeypatch.setattr(resume, "train", train)

    def run(stop=None):
        written = []

        class Stopping(Checkpoints):
            def save(self, checkpoint):
                super().save(checkpoint)
                written.append(checkpoint)
                if len(written) == stop:
                    raise Stopped

        monkeypatch.setattr(resume, "Checkpoints", Stopping)
        trained.clear()
        with run_progress(io.StringIO()) as progress:
            run_resumably(read(runs=RUNS), tmp_path / "out", None, progress, 0.0)
        return list(trained)

    return run


def test_what_is_done_is_timed_and_the_rest_goes_on(go, tiny_runs, tmp_path):
    """Stopped in the second protocol; digests are those of a run that never was."""
    with pytest.raises(Stopped):
        go(stop=3)
    assert not (tmp_path / "out").exists()
    assert go() == ["eris (A=6)", "epidemic"]
    runs = json.loads((tmp_path / "out" / "summary.json").read_text())["runs"]
    for run in runs:
        assert run["digest"] == tiny_runs[run["label"]]["digest"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]
