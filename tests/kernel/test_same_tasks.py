"""Tasks, timers, cancellation and timeouts do in virtual time what they do in real time.

Programs log what they do; ``pause(units)`` sleeps, ``work(name, units)`` is a logged task.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from inspect import iscoroutinefunction
from typing import Any

import pytest

from netsim.kernel import run

Log = list[object]
Pause = Callable[[float], Awaitable[None]]
Work = Callable[..., Coroutine[Any, Any, str]]
UNIT_S = 0.1


async def timers_fire_by_time_then_by_order(log: Log, pause: Pause, work: Work) -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    for units in (3, 1, 2):
        loop.call_later(units * UNIT_S, log.append, units)
    loop.call_at(start + 1.5 * UNIT_S, log.append, "at 1.5")
    loop.call_at(start - 1, log.append, "past")
    loop.call_soon(log.append, "soon")
    await pause(4)


async def handles_can_be_cancelled(log: Log, pause: Pause, work: Work) -> list[bool]:
    loop = asyncio.get_running_loop()
    soon = loop.call_soon(log.append, "soon")
    later = loop.call_later(UNIT_S, log.append, "later")
    kept = loop.call_later(UNIT_S, log.append, "kept")
    soon.cancel()
    later.cancel()
    await pause(2)
    fired = kept.cancelled()
    kept.cancel()
    return [soon.cancelled(), later.cancelled(), fired, kept.cancelled()]


async def callbacks_run_in_the_order_made(log: Log, pause: Pause, work: Work) -> None:
    loop = asyncio.get_running_loop()

    def parent(name: str) -> None:
        log.append(name)
        loop.call_soon(log.append, f"child of {name}")

    future = loop.create_future()
    future.add_done_callback(lambda _: log.append("done 1"))
    loop.call_soon(parent, "a")
    future.add_done_callback(lambda _: log.append("done 2"))
    future.set_result(None)
    loop.call_soon(parent, "b")
    await pause(0)
    log.append("main")
    await pause(0)


async def task_group_waits_for_all(log: Log, pause: Pause, work: Work) -> list[object]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(str(u), u)) for u in (3, 1, 2)]
    return [task.result() for task in tasks]


async def task_group_cancels_siblings_of_a_failure(log: Log, pause: Pause, work: Work) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(work("slow", 3))
        group.create_task(work("fails", 1, ValueError("bad")))
        await pause(5)
        log.append("never")


async def cancelled_before_it_starts(log: Log, pause: Pause, work: Work) -> bool:
    task = asyncio.create_task(work("a", 1))
    task.cancel()
    await asyncio.wait([task])
    return task.cancelled()


async def cancelled_while_it_sleeps(log: Log, pause: Pause, work: Work) -> str:
    task = asyncio.create_task(work("a", 5))
    await pause(1)
    log.append(task.cancel("why"))
    log.append(task.cancel("again"))
    try:
        await task
    except asyncio.CancelledError as error:
        return repr(error.__context__ or error)
    return "not cancelled"


async def cleaning_up_may_await(log: Log, pause: Pause, work: Work) -> None:
    async def tidy() -> None:
        try:
            await pause(5)
        finally:
            await pause(1)
            log.append("tidied")

    task = asyncio.create_task(tidy())
    await pause(1)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    log.append("after")


async def cancellation_can_be_swallowed(log: Log, pause: Pause, work: Work) -> list[object]:
    async def stubborn() -> str:
        with suppress(asyncio.CancelledError):
            await pause(5)
        await pause(1)
        return "finished"

    task = asyncio.create_task(stubborn())
    await pause(1)
    task.cancel()
    return [await task, task.cancelling()]


async def a_task_cancels_itself(log: Log, pause: Pause, work: Work) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    try:
        await pause(1)
    except asyncio.CancelledError:
        log.append(task.uncancel())
    await pause(1)


async def timeout_fires(log: Log, pause: Pause, work: Work) -> None:
    async with asyncio.timeout(UNIT_S) as scope:
        with suppress(ZeroDivisionError):
            await work("a", 3)
    log.append(scope.expired())


async def timeout_in_time_or_moved(log: Log, pause: Pause, work: Work) -> list[bool]:
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(2 * UNIT_S) as first:
        await pause(1)
    async with asyncio.timeout(UNIT_S) as second:
        second.reschedule(loop.time() + 3 * UNIT_S)
        await pause(2)
    async with asyncio.timeout(None) as third:
        await pause(1)
    return [first.expired(), second.expired(), third.expired()]


async def nested_timeouts_know_their_own(log: Log, pause: Pause, work: Work) -> None:
    try:
        async with asyncio.timeout(UNIT_S):
            try:
                async with asyncio.timeout(3 * UNIT_S):
                    await pause(5)
            except TimeoutError:
                log.append("inner")
    except TimeoutError:
        log.append("outer")
    async with asyncio.timeout(3 * UNIT_S):
        try:
            async with asyncio.timeout(UNIT_S):
                await pause(5)
        except TimeoutError:
            log.append("inner")
        await pause(1)


async def timeout_around_a_task_group(log: Log, pause: Pause, work: Work) -> None:
    async with asyncio.timeout(2 * UNIT_S), asyncio.TaskGroup() as group:
        group.create_task(work("quick", 1))
        group.create_task(work("slow", 4))


async def wait_for_returns_or_times_out(log: Log, pause: Pause, work: Work) -> str:
    log.append(await asyncio.wait_for(work("a", 1), 2 * UNIT_S))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(work("b", 3), UNIT_S)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(work("c", 3), 0)
    return repr(await asyncio.wait_for(work("d", 0), None))


PROGRAMS = {name: value for name, value in globals().items() if iscoroutinefunction(value)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, outcome: Any, real: dict[str, Any]) -> None:
    """Same log, same result or exception."""
    assert run(outcome(PROGRAMS[name])) == real[name]


def test_programs_ran_to_their_end(real: dict[str, Any]) -> None:
    """The comparison means something: the logs hold what they should."""
    logs = {name: log for name, (log, _) in real.items()}
    assert logs["timers_fire_by_time_then_by_order"] == ["soon", "past", 1, "at 1.5", 2, 3]
    assert logs["nested_timeouts_know_their_own"] == ["outer", "inner"]
    assert real["timeout_fires"][1] == "TimeoutError()"
    assert "bad" in real["task_group_cancels_siblings_of_a_failure"][1]
    assert all(log or result != "None" for log, result in real.values())
