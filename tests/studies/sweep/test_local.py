"""Processes of this machine."""

import os
import signal

import pytest

from netsim.studies.sweep.jobs import CellDone, Job, Lost, Over, Settings
from netsim.studies.sweep.local import LocalWorkers

VOLUME = (
    (
        "task: {dataset: digits, model: mlp, samples_per_client: 40, batch: 16, lr: 0.1, "
        "momentum: 0.5}",
        "volume: {parameters: 1000}",
    ),
)


@pytest.fixture
def job(planned, tmp_path):
    """Two cells that need no training."""
    (tmp_path / "cells").mkdir()
    cells = planned(*VOLUME).cells[:2]
    return Job(tmp_path, cells, "trained", False, Settings(None, 60.0))


def heard(workers):
    """All events up to the end of a job."""
    events = []
    while not any(isinstance(event, Over | Lost) for event in events):
        events += workers.wait(10.0)
    return events


def test_a_worker_that_dies_is_replaced(job):
    """Its job is told as lost, with the signal; the next job goes to another process."""
    before = signal.getsignal(signal.SIGINT), os.environ.get("OMP_NUM_THREADS")
    with LocalWorkers(1) as workers:
        workers.start(job)
        assert workers.free == 0
        (first,) = workers._workers
        os.kill(first.process.pid, signal.SIGKILL)
        (lost,) = heard(workers)
        assert (lost.job.cells, lost.reason) == (job.cells, "was killed by SIGKILL")
        assert workers.free == 1
        workers.start(job)
        (second,) = workers._workers
        assert second.process.pid != first.process.pid
        done = [event for event in heard(workers) if isinstance(event, CellDone)]
        assert [event.cell for event in done] == [cell.id for cell in job.cells]
        workers.start(job)
        assert workers._workers == [second]
    assert not second.process.is_alive()
    assert (signal.getsignal(signal.SIGINT), os.environ.get("OMP_NUM_THREADS")) == before
