"""Studies on a Dask cluster give what they give here."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("distributed")


@pytest.fixture
def cluster(tmp_path):
    """A scheduler that listens and its two workers; its address and the workers' processes."""
    said, errors = tmp_path / "scheduler.json", tmp_path / "scheduler.txt"

    def dask(*arguments):
        with errors.open("a") as file:
            return subprocess.Popen(
                [sys.executable, "-m", *arguments, "--scheduler-file", str(said)],
                stdout=subprocess.DEVNULL,
                stderr=file,
            )

    where = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    started = [dask("distributed.cli.dask_scheduler", *where)]
    try:
        while not (said.exists() and said.read_text()):
            assert started[0].poll() is None, errors.read_text()
            time.sleep(0.02)
        address = json.loads(said.read_text())["address"]
        settings = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        started += [dask("distributed.cli.dask_worker", *settings) for _ in range(2)]
        yield address.replace("tcp://", "dask://"), started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_worker_that_dies_is_replaced_by_the_other(
    planned, run, study, start, table, cluster, tmp_path
):
    """Killed while it trains; no cell is lost or doubled, and all are as on one machine."""
    address, workers = cluster
    rates = ("[300 kB/s, 1 MB/s, 5 MB/s]", "[1 MB/s, 5 MB/s]")
    out, whole = tmp_path / "out", tmp_path / "whole"
    process = start(study(rates), out, "--on", address)
    while not [*out.glob("checkpoints/*/round-*")]:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    os.kill(workers[0].pid, signal.SIGKILL)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    run(planned(rates), whole)
    assert table(out) == table(whole)
    assert sorted(row[0] for row in table(out, "status")) == ["timed"] * 4 + ["trained"] * 4
