"""Who waits for what and from whom, and the error when all of them wait for ever."""

import asyncio
import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, final


@dataclass(frozen=True, slots=True)
class Wait:
    """``node`` waits for ``what`` from ``sender`` (None: from nobody in particular)."""

    node: str
    what: str
    sender: str | None = None

    def __str__(self) -> str:
        source = "" if self.sender is None else f" from {self.sender}"
        return f"{self.node} waits for {self.what}{source}"


@final
class Deadlock(RuntimeError):
    """Tasks wait, but nothing is ready and nothing is scheduled that could wake them.

    ``waits``: what each task registered by ``waiting``, in the order the tasks were made.
    ``others``: names of the coroutines of the tasks that registered nothing, without those that
    wait for nothing but the end of their task group.
    ``time_s``: the virtual time.
    ``what``: what does not happen any more, in words.
    """

    def __init__(self, waits: list[Wait], others: list[str], time_s: float, what: str) -> None:
        super().__init__(waits, others, time_s, what)
        self.waits = waits
        self.others = others
        self.time_s = time_s
        self.what = what

    def __str__(self) -> str:
        lines = [f"{self.what}, but these wait:"]
        lines += [f"  {wait}" for wait in self.waits]
        for name, number in Counter(self.others).items():
            lines.append(f"  {number} × task {name}" if number > 1 else f"  task {name}")
        return "\n".join(lines)


_open: "dict[waiting, asyncio.Task[Any]]" = {}
"""The waits in progress with their tasks, oldest first."""


@final
class waiting:
    """While inside, the current task is known to wait: ``with waiting("node 3", "update")``.

    ``what`` may be a function without arguments; it is called only for a report. Of nested
    waits the innermost is reported. ``RuntimeError`` outside a task.
    """

    __slots__ = ("node", "sender", "what")

    def __init__(self, node: str, what: str | Callable[[], str], sender: str | None = None) -> None:
        self.node = node
        self.what = what
        self.sender = sender

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("only a task can wait")
        _open[self] = task

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        del _open[self]

    def record(self) -> Wait:
        """The wait with its text made."""
        what = self.what if isinstance(self.what, str) else self.what()
        return Wait(self.node, what, self.sender)


def deadlock(tasks: Iterable[asyncio.Task[Any]], time_s: float, what: str) -> Deadlock:
    """The error for ``tasks`` that can never go on."""
    innermost = {task: wait for wait, task in _open.items()}
    waits, others = [], []
    for task in tasks:
        coro = task.get_coro()
        if task in innermost:
            waits.append(innermost[task].record())
        elif not _ends_group(coro):
            others.append(getattr(coro, "__qualname__", repr(coro)))
    return Deadlock(waits, others, time_s, what)


def _ends_group(coro: object) -> bool:
    """Whether a coroutine waits at the end of a task group: its tasks are in the report."""
    while inspect.iscoroutine(coro):
        if coro.cr_code is asyncio.TaskGroup.__aexit__.__code__:
            return True
        coro = coro.cr_await
    return False
