"""A bar over a whole study and one for each cell that trains; silent off a terminal."""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, final

from netsim.results.format import accuracy, seconds
from netsim.studies.sweep.cell import Cell
from netsim.studies.sweep.jobs import How, RoundDone
from netsim.studies.sweep.pace import Pace
from netsim.studies.sweep.queue import Queue

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@final
class Watch:
    """What the cells of a study do at the moment; made by :func:`watched`."""

    def __init__(self, bars: "Progress", cells: int, workers: int) -> None:
        self._bars = bars
        self._whole = bars.add_task("", total=cells, label="study", state="", left="")
        self._pace = Pace(workers)
        self._training: dict[str, TaskID] = {}
        self._rounds_left: dict[str, int] = {}
        self._timing: set[str] = set()
        self._counts: Counter[str] = Counter()

    def started(self, how: How, cells: Sequence[Cell]) -> None:
        """A worker began with these."""
        if how == "timed":
            self._timing |= {cell.id for cell in cells}
            return
        for cell in cells:
            rounds = cell.scenario.rounds
            label = f"{cell.label}, seed {cell.scenario.seed}"
            task = self._bars.add_task("", total=rounds, label=label, state="", left="")
            self._training[cell.id], self._rounds_left[cell.id] = task, rounds

    def advanced(self, event: RoundDone) -> None:
        """A round of a cell that trains is over."""
        if event.cell in self._training:
            self._pace.round(event.cell, time.monotonic())
            self._rounds_left[event.cell] = event.rounds - event.round - 1
            task = self._training[event.cell]
            self._bars.update(task, completed=event.round + 1)
            if event.accuracy is not None:
                self._bars.update(task, state=f"accuracy {accuracy(event.accuracy)}")

    def stopped(self, cell: Cell) -> None:
        """The cell is no longer with a worker, with or without a result."""
        self._timing.discard(cell.id)
        self._rounds_left.pop(cell.id, None)
        if cell.id in self._training:
            self._bars.remove_task(self._training.pop(cell.id))

    def settled(self, cell: Cell, status: str, time_s: float) -> None:
        """The cell has its fate."""
        self.stopped(cell)
        self._counts[status] += 1
        if status == "timed":
            self._pace.timed(time_s)
        self._bars.update(self._whole, advance=1)

    def show(self, queue: Queue) -> None:
        """Say what is done, what goes on and what is left."""
        doing = {"training": len(self._training), "timing": len(self._timing)}
        waiting = {"waiting": len(queue.train) + len(queue.time) + queue.waiting}
        state = ", ".join(
            f"{n} {what}" for what, n in (self._counts | doing | waiting).items() if n
        )
        rounds = sum(self._rounds_left.values()) + sum(c.scenario.rounds for c in queue.train)
        left_s = self._pace.left_s(rounds, len(self._timing) + len(queue.time) + queue.waiting)
        left = "" if left_s is None else f"{seconds(left_s)} left"
        self._bars.update(self._whole, state=state, left=left)


@contextmanager
def watched(cells: int, workers: int, stream: TextIO | None = None) -> Iterator[Watch]:
    """Bars on ``stream`` (standard error by default) while inside."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    stream = stream or sys.stderr
    columns = (
        TextColumn("{task.fields[label]}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(file=stream), disable=not stream.isatty()) as bars:
        yield Watch(bars, cells, workers)
