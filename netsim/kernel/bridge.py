"""Waiting across the border: coroutines for SimPy events, SimPy processes for coroutines."""

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any, cast

import simpy

from netsim.kernel.loop import running_loop


async def until(event: simpy.Event) -> Any:
    """Wait for a SimPy event, process or condition and return its value.

    If it fails, its exception is raised here and counts as handled. A task that is cancelled
    lets go of the event. ``ValueError`` if the event belongs to another environment.
    """
    loop = running_loop()
    if event.env is not loop.env:
        raise ValueError(f"{event} belongs to another environment")
    if event.callbacks is not None:
        await _processed(event, loop.create_future())
    if event.ok:
        return event.value
    raise cast(BaseException, event.value)


async def _processed(event: simpy.Event, future: "asyncio.Future[None]") -> None:
    def wake(event: simpy.Event) -> None:
        if not future.done():
            if not event.ok:
                event.defused = True
            future.set_result(None)

    event.callbacks.append(wake)
    try:
        await future
    finally:
        if event.callbacks is not None:
            event.callbacks.remove(wake)


def as_event(awaitable: Awaitable[Any]) -> simpy.Event:
    """Start ``awaitable`` and return a SimPy event that ends as it does.

    If it raises, the event fails with its exception, which ends the run unless somebody waits
    for the event. If it is cancelled, the event fails with ``asyncio.CancelledError`` for
    those who wait and nobody else.
    """
    loop = running_loop()
    event = loop.env.event()
    task = asyncio.ensure_future(awaitable, loop=loop)
    task.add_done_callback(partial(_settle, event))
    return event


def _settle(event: simpy.Event, task: "asyncio.Future[Any]") -> None:
    if task.cancelled():
        # SimPy fails events with any exception, its annotation says Exception.
        event.fail(cast(Exception, asyncio.CancelledError()))
        event.defused = True
    elif (error := task.exception()) is not None:
        event.fail(cast(Exception, error))
    else:
        event.succeed(task.result())
