"""An asyncio event loop whose clock is a SimPy environment."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, copy_context
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from typing import Any, NoReturn, TypeVar, TypeVarTuple, final

import simpy

from netsim.kernel.deadlock import deadlock
from netsim.kernel.handles import Queued, ReadyHandle, Timer

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
_new = object.__new__
HORIZON_S = 9e9
"""What would happen later than this, 285 years, never does: a clock in ns in 64 bits ends there."""
_SWEEP_AT = 64
"""Cancelled timers in the heap, or tasks that are done, before it is worth sweeping."""


class _Stop(BaseException):
    """Leaves the loop."""


@final
class VirtualLoop(asyncio.BaseEventLoop):
    """Runs ordinary asyncio code in virtual time; ``time()`` is ``env.now``.

    One step of the loop, over and over:

    1. Run what is ready, first in first out, until nothing is.
    2. If nothing else is due at this instant, call what ``at_instant_end`` registered; that
       may make more things ready or due, and then the instant goes on.
    3. Move to what comes next: a SimPy event or the timers due at the next time. At equal
       times SimPy's events go first, one at a time, so what arrives exactly at a deadline
       is in time. Timers due at the same time become ready together, in the order made.

    When nothing is left to do before ``HORIZON_S``, ``Deadlock`` is raised. Cancelled timers
    move nothing: the clock stops at the last thing that happened.

    Two differences from asyncio's loop: an exception in a callback ends the run instead of
    being logged, and threads, processes and sockets are refused with ``RuntimeError``.
    """

    _closed: bool
    _stopping: bool
    _thread_id: int | None
    _ready: deque[Queued]
    _scheduled: list[tuple[float, int, Queued]]

    def __init__(self, env: simpy.Environment | None = None) -> None:
        super().__init__()
        self.env = simpy.Environment() if env is None else env
        self._instant_end: list[Callable[[], object]] = []
        self._next_number = count().__next__
        self._cancelled = 0
        self.beyond = False
        self._tasks: list[asyncio.Task[Any]] = []
        self._tasks_at_most = _SWEEP_AT
        self.spare_naps: list[Any] = []

    def time(self) -> float:
        """The virtual time in seconds."""
        return self.env.now

    def at_instant_end(self, callback: Callable[[], object]) -> None:
        """Call ``callback()`` once, when nothing else is left to do at this instant."""
        self._instant_end.append(callback)

    def tasks(self) -> list[asyncio.Task[Any]]:
        """The tasks not yet done, in the order they were created."""
        return [task for task in self._tasks if not task.done()]

    def create_task(
        self, coro: Generator[Any, None, T] | Coroutine[Any, Any, T], **options: Any
    ) -> asyncio.Task[T]:
        """As in asyncio, but the loop keeps the task alive.

        asyncio may collect a waiting task that nobody refers to, at a moment that depends on
        the garbage collector; here it waits on and is named in the report of a deadlock.
        """
        task = super().create_task(coro, **options)
        if len(self._tasks) >= self._tasks_at_most:
            # Now and then: a callback for each that is done would cost more.
            self._tasks = self.tasks()
            self._tasks_at_most = max(_SWEEP_AT, 2 * len(self._tasks))
        self._tasks.append(task)
        return task

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """As in asyncio."""
        if self._closed:
            raise RuntimeError("Event loop is closed")
        handle = _new(ReadyHandle)
        handle._callback = callback
        handle._args = args
        handle._context = copy_context() if context is None else context
        self._ready.append(handle)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """As in asyncio; ``ValueError`` if ``delay`` is not a number."""
        return self._timer(self.env._now + delay, callback, args, context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """As in asyncio: at once if ``when`` has passed, never if that is past the horizon."""
        return self._timer(when, callback, args, context)

    def _timer(
        self, when: float, callback: Callable[..., object], args: Any, context: Context | None
    ) -> asyncio.TimerHandle:
        if self._closed:
            raise RuntimeError("Event loop is closed")
        timer = _new(Timer)
        timer._callback = callback
        timer._args = args
        timer._context = copy_context() if context is None else context
        timer._loop = self
        timer._when = when
        now = self.env._now
        if now <= when < HORIZON_S:
            heappush(self._scheduled, (when, self._next_number(), timer))
        elif when < now:
            heappush(self._scheduled, (now, self._next_number(), timer))
        else:
            self.put_off(when)
        return timer

    def put_off(self, when: float) -> None:
        """Note that something waits for a time past the horizon; ``ValueError`` if it is none."""
        if not when >= HORIZON_S:
            raise ValueError(f"a timer at {when}")
        self.beyond |= when < inf

    def sweep(self) -> None:
        """Note that a timer was cancelled; rebuild the heap when most of it may be dead."""
        self._cancelled += 1
        timers = self._scheduled
        if self._cancelled > _SWEEP_AT and 2 * self._cancelled > len(timers):
            timers[:] = [entry for entry in timers if entry[2]._callback is not None]
            heapify(timers)
            self._cancelled = 0

    def stop(self) -> None:
        """As in asyncio: what is ready still runs."""
        super().stop()
        self.call_soon(_leave)

    def _run_once(self) -> None:
        """Run until ``stop`` is called (asyncio's ``run_forever`` calls this over and over).

        One function and SimPy's own queue and clock, because calls and properties here cost
        a third of the speed.
        """
        ready, timers, ending = self._ready, self._scheduled, self._instant_end
        env, events = self.env, self.env._queue
        try:
            while True:
                if ready:
                    handle = ready.popleft()
                elif timers and not ending and not (events and events[0][0] <= timers[0][0]):
                    when, _, handle = heappop(timers)
                    if handle._callback is None:
                        continue
                    env._now = when
                    if timers and timers[0][0] == when:
                        ready.append(handle)
                        self._gather(when)
                        continue
                else:
                    self._advance()
                    continue
                callback, args = handle._callback, handle._args
                if callback is not None:
                    handle._callback = None
                    # Unpacking *args is slow, and most callbacks take one argument.
                    if len(args) == 1:
                        handle._context.run(callback, args[0])
                    else:
                        handle._context.run(callback, *args)
        except _Stop:
            return

    def _advance(self) -> None:
        """End the instant or move on, when a timer alone does not decide it."""
        timers = self._scheduled
        timer_at = timers[0][0] if timers else inf
        event_at = self.env.peek()
        if self._instant_end and min(timer_at, event_at) > self.env.now:
            callbacks = self._instant_end.copy()
            self._instant_end.clear()
            for callback in callbacks:
                callback()
        elif event_at <= timer_at and event_at < HORIZON_S:
            self.env.step()
        elif timers:
            # The end of the instant waits for the timers of now.
            self._gather(timer_at)
        else:
            now = self.env.now
            until = f" and up to {HORIZON_S:g} s" if self.beyond or event_at < inf else ""
            raise deadlock(self.tasks(), now, f"nothing can happen after {now:g} s{until}")

    def _gather(self, when: float) -> None:
        """Make ready, in order, every timer due at ``when``."""
        timers, ready = self._scheduled, self._ready
        while timers and timers[0][0] == when:
            ready.append(heappop(timers)[2])

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """``call_soon``; ``RuntimeError`` from another thread than the loop's."""
        if self._thread_id not in (None, threading.get_ident()):
            _refuse("another thread")
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(
        self, executor: object, func: Callable[[*Ts], object], *args: *Ts
    ) -> NoReturn:
        """Refused: how long a thread takes has no meaning in virtual time."""
        _refuse("an executor or a thread")

    async def create_connection(self, *_: Any, **__: Any) -> NoReturn:
        """Refused."""
        _refuse("a network connection")

    async def create_server(self, *_: Any, **__: Any) -> NoReturn:
        """Refused."""
        _refuse("a network server")


def running_loop() -> VirtualLoop:
    """The virtual loop this code runs on; ``RuntimeError`` if it runs on none."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, VirtualLoop):
        raise RuntimeError(f"needs virtual time (netsim.kernel.run), but runs on {loop!r}")
    return loop


def _leave() -> NoReturn:
    raise _Stop


def _refuse(what: str) -> NoReturn:
    raise RuntimeError(f"{what} cannot be used in virtual time")
