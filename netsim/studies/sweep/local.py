"""Workers on this machine: a process each."""

import multiprocessing as mp
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Self, final

from netsim.studies.sweep.jobs import Event, Job, Lost, Over
from netsim.studies.sweep.work import work
from netsim.studies.sweep.workers import Workers

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class _Worker:
    """A process and the job it has, if any."""

    def __init__(self) -> None:
        context = mp.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        with _born_quiet():
            self.process.start()
        theirs.close()
        self.job: Job | None = None


@final
class LocalWorkers(Workers):
    """``count`` processes, started when they are needed; one that died is replaced."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()

    @property
    def free(self) -> int:
        """As in the base class."""
        return self._count - sum(worker.job is not None for worker in self._workers)

    def start(self, job: Job) -> None:
        """As in the base class."""
        idle = next((worker for worker in self._workers if worker.job is None), None)
        if idle is None:
            idle = _Worker()
            self._workers.append(idle)
        idle.job = job
        # A worker that is dying cannot take it; its end of the pipe says so in ``wait``.
        try:
            idle.pipe.send(job)
        except OSError:
            return

    def wait(self, timeout_s: float) -> Sequence[Event]:
        """As in the base class."""
        ready = wait([worker.pipe for worker in self._workers], timeout_s)
        events: list[Event] = []
        for worker in [each for each in self._workers if each.pipe in ready]:
            events += self._told(worker)
        return events

    def _told(self, worker: _Worker) -> Iterator[Event]:
        try:
            while worker.pipe.poll():
                event: Event = worker.pipe.recv()
                if isinstance(event, Over):
                    worker.job = None
                yield event
        except (EOFError, OSError):
            self._workers.remove(worker)
            worker.pipe.close()
            worker.process.join()
            if worker.job is not None:
                yield Lost(worker.job, _end(worker.process.exitcode))


def _end(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    return f"left with code {code}"


def _serve(pipe: Connection) -> None:
    """A worker's life: jobs, until its parent ends it or ends itself."""
    threading.Thread(target=_follow_parent, daemon=True).start()
    while True:
        job: Job = pipe.recv()
        work(job, pipe.send)
        pipe.send(Over(job))


def _follow_parent() -> None:
    """End with the parent, however that ends."""
    parent = mp.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _born_quiet() -> Iterator[None]:
    """A process started meanwhile leaves Ctrl-C to its parent and computes on one thread."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    main = threading.current_thread() is threading.main_thread()
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, heard)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
