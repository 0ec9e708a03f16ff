"""Conducts a study: which cell is trained or timed next, and what became of each."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal, final

from netsim.scenario.errors import Loc
from netsim.studies.sweep.cell import Cell
from netsim.studies.sweep.jobs import (
    CellBroke,
    CellDiverged,
    CellDone,
    Event,
    Halt,
    Job,
    Lost,
    Over,
    RoundDone,
    Settings,
)
from netsim.studies.sweep.queue import Queue
from netsim.studies.sweep.store import Store
from netsim.studies.sweep.watch import Watch
from netsim.studies.sweep.workers import Workers

Status = Literal["trained", "timed", "reused", "failed"]
_DEATHS: Final = 3
"""A cell whose worker died so often has failed."""
_WAIT_S: Final = 0.5


class StudyHalted(Exception):
    """A study cannot go on; the message says why, in one line.  What is whole stays.

    It is for the value at ``loc`` of ``cell``, if it is for one.
    """

    def __init__(self, reason: str, cell: str = "", loc: Loc = ()) -> None:
        super().__init__(reason, cell, loc)
        self.reason = reason
        self.cell = cell
        self.loc = loc

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class Fate:
    """What became of a cell, and why it failed if it did: for a value at ``loc`` if it is one."""

    status: Status
    failure: str | None = None
    loc: Loc = ()


@final
class Conductor:
    """Gives jobs to workers until every cell has its fate."""

    def __init__(
        self, cells: tuple[Cell, ...], store: Store, settings: Settings, watch: Watch
    ) -> None:
        self.fates: dict[str, Fate] = {}
        self._cells = {cell.id: cell for cell in cells}
        self._store = store
        self._settings = settings
        self._watch = watch
        self._queue = Queue()
        self._deaths: Counter[str] = Counter()
        self._running: set[str] = set()
        missing = [cell for cell in cells if not self._reused(cell)]
        keys = {cell.training for cell in missing if cell.training is not None}
        self._queue.add(missing, [key for key in keys if store.load_record(key) is not None])

    @property
    def missing(self) -> bool:
        """Whether there is anything to do."""
        return len(self.fates) < len(self._cells)

    def run(self, workers: Workers) -> None:
        """Run what is missing.  Raises `StudyHalted` when nothing can be run any more."""
        while self.missing:
            while workers.free:
                how, cells = self._queue.take()
                if not cells:
                    break
                leads = self._queue.leads(cells[0])
                self._running |= {cell.id for cell in cells}
                workers.start(Job(self._store.folder, cells, how, leads, self._settings))
                self._watch.started(how, cells)
            for event in workers.wait(_WAIT_S):
                self._hear(event)
            self._watch.show(self._queue)

    def _reused(self, cell: Cell) -> bool:
        summary = self._store.summary(cell)
        if summary is None:
            return False
        status = str(summary["status"])
        if status == "complete":
            self._settle(cell, Fate("reused"))
        else:
            self._settle(cell, Fate("failed", status.removeprefix("failed: ")))
        return True

    def _hear(self, event: Event) -> None:
        if isinstance(event, Halt):
            raise StudyHalted(event.reason, event.cell, event.loc)
        if isinstance(event, Lost):
            self._lost(event)
        elif isinstance(event, RoundDone):
            self._watch.advanced(event)
        elif not isinstance(event, Over) and event.cell in self._running:
            self._running.remove(event.cell)
            self._ended(self._cells[event.cell], event)

    def _ended(self, cell: Cell, event: CellDone | CellDiverged | CellBroke) -> None:
        if isinstance(event, CellDiverged):
            self._watch.stopped(cell)
            self._queue.diverged(cell)
        elif isinstance(event, CellBroke):
            self._store.keep_details(cell, event.details)
            self._fail(cell, event.reason, event.loc)
        elif event.failure is not None:
            self._fail(cell, event.failure)
        else:
            self._queue.trained(cell)
            self._settle(cell, Fate(event.how), event.time_s)

    def _lost(self, event: Lost) -> None:
        left = [cell for cell in event.job.cells if cell.id in self._running]
        self._running -= {cell.id for cell in left}
        for cell in left:
            self._watch.stopped(cell)
        for cell in left[:1]:
            self._deaths[cell.id] += 1
            if self._deaths[cell.id] == _DEATHS:
                self._fail(cell, f"its worker died {_DEATHS} times: it {event.reason}")
                left.remove(cell)
        self._queue.again(event.job.how, left)

    def _fail(self, cell: Cell, reason: str, loc: Loc = ()) -> None:
        self._queue.failed(cell)
        self._settle(cell, Fate("failed", reason, loc))

    def _settle(self, cell: Cell, fate: Fate, time_s: float = 0.0) -> None:
        self.fates[cell.id] = fate
        self._watch.settled(cell, fate.status, time_s)
