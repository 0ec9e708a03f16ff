"""Queues, locks, events and other ways to wait do in virtual time what they do in real time.

Programs log what they do; ``pause(units)`` sleeps, ``work(name, units)`` is a logged task.
"""

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from inspect import iscoroutinefunction
from typing import Any

import pytest

from netsim.kernel import run

Log = list[object]
Pause = Callable[[float], Awaitable[None]]
Work = Callable[..., Coroutine[Any, Any, str]]
UNIT_S = 0.1


async def queue_between_tasks(log: Log, pause: Pause, work: Work) -> None:
    queue: asyncio.Queue[int] = asyncio.Queue(maxsize=2)

    async def produce() -> None:
        for item in range(5):
            await queue.put(item)
            log.append(f"put {item}")

    async def consume() -> None:
        for _ in range(5):
            await pause(1)
            log.append(f"got {await queue.get()}")
            queue.task_done()

    async with asyncio.TaskGroup() as group:
        group.create_task(produce())
        group.create_task(consume())
        await queue.join()
        log.append("joined")


async def getters_of_a_queue_are_served_in_order(log: Log, pause: Pause, work: Work) -> None:
    queue: asyncio.PriorityQueue[int] = asyncio.PriorityQueue()

    async def get(name: str) -> None:
        log.append((name, await queue.get()))

    async with asyncio.TaskGroup() as group:
        gone = group.create_task(get("gone"))
        for name in "abc":
            group.create_task(get(name))
        await pause(1)
        gone.cancel()
        for item in (3, 1, 2):
            queue.put_nowait(item)


async def event_wakes_all_in_order(log: Log, pause: Pause, work: Work) -> None:
    event = asyncio.Event()

    async def wait(name: str) -> None:
        await event.wait()
        log.append(name)

    async with asyncio.TaskGroup() as group:
        for name in "abc":
            group.create_task(wait(name))
        await pause(1)
        event.set()
        log.append("set")


async def condition_notifies(log: Log, pause: Pause, work: Work) -> None:
    condition = asyncio.Condition()

    async def wait(name: str) -> None:
        async with condition:
            await condition.wait()
            log.append(name)

    async with asyncio.TaskGroup() as group:
        for name in "abcd":
            group.create_task(wait(name))
        await pause(1)
        async with condition:
            condition.notify()
            log.append("notified one")
        await pause(1)
        async with condition:
            condition.notify_all()
            log.append("notified all")


async def semaphore_and_lock_are_fair(log: Log, pause: Pause, work: Work) -> None:
    semaphore, lock = asyncio.Semaphore(2), asyncio.Lock()

    async def enter(name: str, units: float) -> None:
        async with semaphore:
            log.append(f"{name} in")
            await pause(units)
            async with lock:
                log.append(f"{name} locked")

    async with asyncio.TaskGroup() as group:
        for number, name in enumerate("abcd"):
            group.create_task(enter(name, 1 + number / 2))


async def barrier_opens_when_full(log: Log, pause: Pause, work: Work) -> None:
    barrier = asyncio.Barrier(3)

    async def arrive(name: str, units: float) -> None:
        await pause(units)
        log.append(f"{name} arrives")
        log.append((name, await barrier.wait()))

    async with asyncio.TaskGroup() as group:
        for number, name in enumerate("abc"):
            group.create_task(arrive(name, number))


async def gather_collects_or_raises(log: Log, pause: Pause, work: Work) -> None:
    both = await asyncio.gather(work("a", 2), work("b", 1, KeyError("b")), return_exceptions=True)
    log.append(repr(both))
    try:
        await asyncio.gather(work("c", 2), work("d", 1, KeyError("d")))
    finally:
        log.append("raised")
        await pause(2)


async def shield_keeps_the_inner_task(log: Log, pause: Pause, work: Work) -> object:
    inner = asyncio.create_task(work("inner", 3))

    async def outer() -> None:
        await asyncio.shield(inner)

    task = asyncio.create_task(outer())
    await pause(1)
    task.cancel()
    await asyncio.wait([task])
    log.append(task.cancelled())
    return await inner


async def wait_for_the_first(log: Log, pause: Pause, work: Work) -> None:
    tasks = [asyncio.create_task(work(name, u)) for name, u in (("a", 2), ("b", 1), ("c", 3))]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    log.append((len(done), len(pending)))
    done, pending = await asyncio.wait(pending, timeout=1.5 * UNIT_S)
    log.append((len(done), len(pending)))
    for nth in asyncio.as_completed(tasks):
        await nth
    log.append("all")


async def async_generators_are_closed(log: Log, pause: Pause, work: Work) -> None:
    async def ticks() -> AsyncGenerator[int, None]:
        try:
            for tick in range(5):
                await pause(1)
                yield tick
        finally:
            await pause(1)
            log.append("closed")

    stream = ticks()
    async for tick in stream:
        log.append(tick)
        if tick == 1:
            break
    await stream.aclose()
    log.append("after")


async def context_variables_stay_with_their_task(log: Log, pause: Pause, work: Work) -> str:
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name", default="none")

    async def named(mine: str, units: float) -> None:
        name.set(mine)
        asyncio.get_running_loop().call_soon(lambda: log.append(f"soon {name.get()}"))
        asyncio.get_running_loop().call_later(UNIT_S / 2, lambda: log.append(f"cb {name.get()}"))
        await pause(units)
        log.append((mine, name.get()))

    await asyncio.gather(named("a", 2), named("b", 1))
    return name.get()


async def yielding_takes_turns(log: Log, pause: Pause, work: Work) -> None:
    async def turns(name: str) -> None:
        for turn in range(3):
            log.append((name, turn))
            await pause(0)

    await asyncio.gather(turns("a"), turns("b"), turns("c"))


PROGRAMS = {name: value for name, value in globals().items() if iscoroutinefunction(value)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, outcome: Any, real: dict[str, Any]) -> None:
    """Same log, same result or exception."""
    assert run(outcome(PROGRAMS[name])) == real[name]


def test_programs_ran_to_their_end(real: dict[str, Any]) -> None:
    """The comparison means something: the logs hold what they should."""
    assert real["event_wakes_all_in_order"] == (["set", "a", "b", "c"], "None")
    assert all(log for log, _ in real.values())
