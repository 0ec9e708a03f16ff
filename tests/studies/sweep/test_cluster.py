"""Studies on a Dask cluster give what they give here."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

pytest.importorskip("distributed")


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


@pytest.fixture
def cluster():
    """A scheduler and two workers; its address and the workers' processes."""
    port = free_port()
    address = f"127.0.0.1:{port}"

    def dask(*arguments):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([sys.executable, "-m", *arguments], **quiet)

    where = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler = dask("distributed.cli.dask_scheduler", "--port", str(port), *where)
    settings = (f"tcp://{address}", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    workers = [dask("distributed.cli.dask_worker", *settings) for _ in range(2)]
    yield f"dask://{address}", workers
    for process in (*workers, scheduler):
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
