"""A bar for the run that goes on: round, metric, virtual time and time left."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from netsim.learning.metrics import METRIC, Metric
from netsim.results import format
from netsim.results.format import seconds
from netsim.results.records import RoundRecord

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

ACCURACY: Final = METRIC["class"]


class RunProgress:
    """One bar a run; made by :func:`run_progress`."""

    def __init__(self, bars: "Progress") -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def start(self, label: str, rounds: int, done: int = 0) -> None:
        """Show the bar of a run of ``rounds``, of which a resumed one has ``done`` some."""
        self._tasks[label] = self._bars.add_task(
            "", total=rounds, completed=done, label=label, worth="", virtual_time=""
        )

    def advance(self, label: str, record: RoundRecord, metric: Metric = ACCURACY) -> None:
        """A round of the run is complete; ``metric`` is what is shown of it."""
        task = self._tasks[label]
        self._bars.update(
            task, completed=record.round + 1, virtual_time=f"at {seconds(record.end_s)}"
        )
        worth = record.value(metric)
        if worth is not None:
            self._bars.update(task, worth=f"{metric.name} {format.metric(metric.name, worth)}")

    def finish(self, label: str) -> None:
        """The run is over, complete or not: its bar stops."""
        self._bars.stop_task(self._tasks[label])


@contextmanager
def run_progress(stream: TextIO | None = None) -> Iterator[RunProgress]:
    """Bars on ``stream`` (standard error by default) while inside; silent off a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    stream = stream or sys.stderr
    columns = (
        TextColumn("{task.fields[label]}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[worth]}"),
        TextColumn("{task.fields[virtual_time]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=stream), disable=not stream.isatty()) as bars:
        yield RunProgress(bars)
