"""``run``: what ``asyncio.run`` is to real time."""

import asyncio
import gc
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import simpy

from netsim.kernel.loop import VirtualLoop

T = TypeVar("T")

_COLLECT_AFTER = 1_000_000


def run(main: Coroutine[Any, Any, T], env: simpy.Environment | None = None) -> T:
    """Run ``main`` to its end in virtual time on ``env`` (default: a new one) and return its
    result.

    Then the tasks that are left are cancelled, in the order they were created, and
    asynchronous generators are closed. Exceptions pass through. Raises ``Deadlock`` if
    nothing can happen any more before ``main`` ends, ``RuntimeError`` inside a running loop.
    """
    if asyncio._get_running_loop() is not None:
        main.close()
        raise RuntimeError("netsim.kernel.run inside a running event loop: await the coroutine")
    with _seldom_collected(), asyncio.Runner(loop_factory=lambda: VirtualLoop(env)) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        try:
            return runner.run(main)
        finally:
            _cancel(loop.tasks(), loop)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Cyclic garbage is looked for less often: a phase makes objects by the hundred thousand,
    nearly all alive, and each look would walk them."""
    before = gc.get_threshold()
    gc.set_threshold(_COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _cancel(tasks: list[asyncio.Task[Any]], loop: VirtualLoop) -> None:
    # asyncio's runner does this too, but in the order of a set: that of memory addresses.
    for task in tasks:
        task.cancel()
    loop.run_until_complete(_ended(tasks))
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            loop.call_exception_handler(
                {
                    "message": "a task failed while it was cancelled",
                    "exception": error,
                    "task": task,
                }
            )


async def _ended(tasks: list[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
