"""Random programs of sleeps, spawns and cancellations against a simple reference.

The reference knows tasks as lists of instructions and time as a list of timers; it shares no
code with the loop. Durations are small integers, so that many things happen at one time.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netsim.kernel import run, running_loop, sleep

Program = list[tuple[str, Any]]
Entry = tuple[float, int, str]


def programs() -> st.SearchStrategy[Program]:
    """Lists of ("sleep", s), ("cancel", task) and ("spawn", program)."""
    simple = st.one_of(
        st.tuples(st.just("sleep"), st.integers(0, 3)),
        st.tuples(st.just("cancel"), st.integers(0, 12)),
    )
    return st.recursive(
        st.lists(simple, max_size=5),
        lambda inner: st.lists(st.one_of(simple, st.tuples(st.just("spawn"), inner)), max_size=5),
        max_leaves=6,
    )


def on_the_loop(roots: list[Program], pause: Callable[[float], Awaitable[None]]) -> list[Entry]:
    """What the programs log in virtual time."""
    log: list[Entry] = []
    tasks: list[asyncio.Task[None]] = []

    def spawn(program: Program) -> None:
        tasks.append(asyncio.create_task(body(len(tasks), program)))

    async def body(number: int, program: Program) -> None:
        try:
            for step, (kind, operand) in enumerate(program):
                log.append((running_loop().time(), number, f"step {step}"))
                if kind == "sleep":
                    await pause(operand)
                elif kind == "spawn":
                    spawn(operand)
                else:
                    tasks[operand % len(tasks)].cancel()
            log.append((running_loop().time(), number, "end"))
        except asyncio.CancelledError:
            log.append((running_loop().time(), number, "cancelled"))
            raise

    async def main() -> None:
        for program in roots:
            spawn(program)
        while any(not task.done() for task in tasks):
            await asyncio.wait(tasks)

    run(main())
    return log


@dataclass(eq=False)
class Timer:
    """A timer of the reference; dead once it has woken its task or the task was cancelled."""

    when: float
    task: "Task"
    alive: bool = True


@dataclass(eq=False)
class Task:
    """A task of the reference."""

    number: int
    program: Program
    step: int = 0
    started: bool = False
    done: bool = False
    to_cancel: bool = False
    timer: Timer | None = None


@dataclass
class Reference:
    """Runs programs as documented; a sleep takes ``turns`` of the loop to wake its task."""

    turns: int
    now: float = 0
    log: list[Entry] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    timers: list[Timer] = field(default_factory=list)
    ready: deque[Callable[[], None]] = field(default_factory=deque)

    def run(self, roots: list[Program]) -> list[Entry]:
        """What the programs log."""
        for program in roots:
            self.spawn(program)
        while self.ready or any(timer.alive for timer in self.timers):
            if self.ready:
                self.ready.popleft()()
                continue
            self.now = min(timer.when for timer in self.timers if timer.alive)
            due = [timer for timer in self.timers if timer.when == self.now]
            self.timers = [timer for timer in self.timers if timer.when != self.now]
            self.ready.extend(lambda timer=timer: self.fire(timer) for timer in due)
        return self.log

    def spawn(self, program: Program) -> None:
        task = Task(len(self.tasks), program)
        self.tasks.append(task)
        self.ready.append(lambda: self.resume(task, False))

    def fire(self, timer: Timer) -> None:
        if timer.alive:
            timer.alive = False
            if self.turns == 1:
                self.resume(timer.task, False)
            else:
                self.ready.append(lambda: self.resume(timer.task, False))

    def cancel(self, task: Task) -> None:
        if task.timer is not None and task.timer.alive:
            task.timer.alive = False
            self.ready.append(lambda: self.resume(task, True))
        else:
            task.to_cancel = True

    def resume(self, task: Task, cancelled: bool) -> None:
        if cancelled or task.to_cancel:
            task.to_cancel = False
            task.done = True
            if task.started:
                self.log.append((self.now, task.number, "cancelled"))
            return
        task.started = True
        while task.step < len(task.program):
            kind, operand = task.program[task.step]
            self.log.append((self.now, task.number, f"step {task.step}"))
            task.step += 1
            if kind == "sleep":
                self.suspend(task, operand)
                return
            if kind == "spawn":
                self.spawn(operand)
            else:
                self.cancel(self.tasks[operand % len(self.tasks)])
        task.done = True
        self.log.append((self.now, task.number, "end"))

    def suspend(self, task: Task, duration: float) -> None:
        if duration == 0:
            self.ready.append(lambda: self.resume(task, False))
        elif task.to_cancel:
            task.to_cancel = False
            self.ready.append(lambda: self.resume(task, True))
        else:
            task.timer = Timer(self.now + duration, task)
            self.timers.append(task.timer)


@pytest.mark.parametrize(("pause", "turns"), [(sleep, 1), (asyncio.sleep, 2)])
@given(roots=st.lists(programs(), min_size=1, max_size=4))
@settings(max_examples=400, deadline=None)
def test_same_events_in_the_same_order(
    pause: Callable[[float], Awaitable[None]], turns: int, roots: list[Program]
) -> None:
    """Times, tasks and steps are those of the reference, ties and all."""
    assert on_the_loop(roots, pause) == Reference(turns).run(roots)
