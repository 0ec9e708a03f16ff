"""Runs of a model that is only a size."""

import subprocess
import sys

import numpy as np
import pytest

from netsim.results.digest import log_digest
from netsim.results.records import Transfers

PARAMETERS = 17098  # of the MLP on digits

WITHOUT_TORCH = """
import io, sys
from pathlib import Path
from netsim.results.progress import run_progress
from netsim.studies.run import run_scenario
from netsim.studies.scenario import load
with run_progress(io.StringIO()) as progress:
    run_scenario(load(Path(sys.argv[1])), Path(sys.argv[2]), None, progress)
assert not {"torch", "sklearn"} & set(sys.modules), "a size needs no learning"
"""


@pytest.fixture(scope="module")
def text(tiny):
    """The tiny scenario with a size in place of its task."""
    head, tail = (tiny.parent / "tiny.yaml").read_text().split("task:\n")
    return head + f"volume: {{parameters: {PARAMETERS}}}\n" + tail[tail.index("network:") :]


def test_it_needs_no_torch(text, tmp_path):
    """Run and results, in a process of its own."""
    (tmp_path / "s.yaml").write_text(text)
    arguments = [str(tmp_path / "s.yaml"), str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "report.html").exists()


def test_it_sends_what_training_sends_at_the_same_times(read, play, text, tmp_path, monkeypatch):
    """Every column of every transfer; the log has the same digest; there is no model."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)
    partition = {"kind": "iid"}  # a size has no clients without samples
    task = {"dataset": "digits", "model": "mlp", "lr": 0.1, "partition": partition}
    trained = [each.result for each in play(read(task=task), tmp_path)]
    sized = [each.result for each in play(read(text), tmp_path)]
    for one, other in zip(trained, sized, strict=True):
        for name in Transfers.columns():
            assert np.array_equal(getattr(one.transfers, name), getattr(other.transfers, name))
        assert log_digest(one.transfers) == log_digest(other.transfers) == other.digest
        assert [each.end_s for each in one.rounds] == [each.end_s for each in other.rounds]
        assert other.model_digest is None
        assert other.rounds[-1].accuracy is None
        assert other.status == "complete"
