"""Workers of a Dask cluster: on this machine, or wherever its scheduler is."""

import logging
import socket
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import Any, Final, Self, final

from netsim.studies.replay.versions import versions
from netsim.studies.sweep.jobs import Event, Halt, Job, Lost, Over, RoundDone, Told
from netsim.studies.sweep.store import STUDY
from netsim.studies.sweep.work import work
from netsim.studies.sweep.workers import Workers, WorkersError

HERE: Final = "dask"
SCHEME: Final = "dask://"
_CONNECT_S: Final = 20
_ONE_AT_A_TIME = threading.Lock()


@final
class ClusterWorkers(Workers):
    """The workers of the scheduler at ``where`` (dask://HOST:PORT), or ``count`` of its own.

    They write to the study's folder themselves, so all must see it.  Dask gives the job of a
    worker that died to another one.
    """

    def __init__(self, where: str, count: int) -> None:
        self._where = where
        self._count = count
        self._topic = f"netsim {uuid.uuid4()}"
        self._heard: SimpleQueue[Any] = SimpleQueue()
        self._jobs: dict[Any, tuple[Job, Any]] = {}
        self._cluster: Any = None
        self._client: Any = None

    @classmethod
    def at(cls, where: str, count: int) -> Self:
        """Those at ``where``; raises `WorkersError` if that is no place, or Dask is not there."""
        if where != HERE and not where.startswith(SCHEME):
            raise WorkersError(f"--on {where}: write {HERE} or {SCHEME}HOST:PORT")
        if find_spec("distributed") is None:
            raise WorkersError("Dask is not installed; write: pip install distributed")
        return cls(where, count)

    def __enter__(self) -> Self:
        """Connect; raises `WorkersError`."""
        dask: Any = import_module("distributed")
        if self._where == HERE:
            self._cluster = dask.LocalCluster(
                n_workers=self._count,
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
        address = self._cluster or self._where.replace(SCHEME, "tcp://", 1)
        try:
            self._client = dask.Client(address, timeout=_CONNECT_S)
        except (OSError, ValueError) as error:
            raise WorkersError(f"no Dask scheduler answers at {self._where}") from error
        self._client.subscribe_topic(self._topic, lambda event: self._heard.put(event[1]))
        return self

    def __exit__(self, *raised: object) -> None:
        self._client.cancel([future for _, future in self._jobs.values()], force=True)
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    @property
    def free(self) -> int:
        """One job a worker, and one that waits while there is no worker yet."""
        return max(1, len(self._client.nthreads())) - len(self._jobs)

    def start(self, job: Job) -> None:
        """As in the base class."""
        future = self._client.submit(_do, job, versions(), self._topic, pure=False)
        self._jobs[future.key] = job, future
        future.add_done_callback(self._heard.put)

    def wait(self, timeout_s: float) -> Sequence[Event]:
        """As in the base class."""
        try:
            heard = [self._heard.get(timeout=timeout_s)]
            while not self._heard.empty():
                heard.append(self._heard.get())
        except Empty:
            return []
        return [event for each in heard for event in self._events(each)]

    def _events(self, heard: Any) -> Iterator[Event]:
        if isinstance(heard, tuple | list):
            yield RoundDone(*heard)
            return
        job, future = self._jobs.pop(heard.key)
        if future.status != "finished":
            yield Lost(job, f"was lost by Dask ({future.status})")
            return
        yield from future.result()
        yield Over(job)


def _do(job: Job, expected: Mapping[str, str], topic: str) -> list[Told]:
    """A worker's part: does the job, tells of rounds at once and of all else in the end."""
    from distributed import get_worker

    worker, told = get_worker(), list[Told]()
    if versions() != expected:
        return [Halt(f"{socket.gethostname()} has {versions()}, not {expected}")]
    if not (job.folder / STUDY).exists():
        return [Halt(f"{socket.gethostname()} does not see {job.folder}; it must be shared")]

    def tell(event: Told) -> None:
        if isinstance(event, RoundDone):
            worker.log_event(topic, (event.cell, event.round, event.rounds, event.accuracy))
        else:
            told.append(event)

    with _ONE_AT_A_TIME:
        work(job, tell)
    return told
