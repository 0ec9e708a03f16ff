"""Ordinary asyncio programs do in virtual time what they do on asyncio's own loop.

Each program logs what it does; its sleeps are whole units, all apart. The real loop runs all
programs at once, so that the unit can be long enough for a busy machine.
"""

import asyncio
import contextvars
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest

from netsim.kernel import run, sleep

Log = list[object]
Pause = Callable[[float], Awaitable[None]]
Program = Callable[[Log, Pause], Awaitable[object]]
PROGRAMS: dict[str, Program] = {}
UNIT_S = 0.1


def program(function: Program) -> Program:
    """Enrol a program."""
    PROGRAMS[function.__name__] = function
    return function


async def outcome(function: Program, sleep: Pause) -> tuple[Log, str]:
    """What a program logs, and its result or exception."""
    log: Log = []

    async def pause(units: float) -> None:
        await sleep(units * UNIT_S)

    try:
        return log, repr(await function(log, pause))
    except (Exception, asyncio.CancelledError) as error:
        return log, repr(error)


@pytest.fixture(scope="module")
def real() -> dict[str, tuple[Log, str]]:
    """Outcomes on asyncio's own loop."""

    async def all_at_once() -> list[tuple[Log, str]]:
        return await asyncio.gather(*(outcome(f, asyncio.sleep) for f in PROGRAMS.values()))

    return dict(zip(PROGRAMS, asyncio.run(all_at_once()), strict=True))


def logger(log: Log, pause: Pause) -> Callable[..., Awaitable[object]]:
    """A coroutine function that logs its name as it starts, ends and is cancelled."""

    async def work(name: str, units: float, error: Exception | None = None) -> str:
        log.append(f"{name} starts")
        try:
            await pause(units)
        except asyncio.CancelledError:
            log.append(f"{name} cancelled")
            raise
        log.append(f"{name} ends")
        if error is not None:
            raise error
        return name

    return work


@program
async def timers_fire_by_time_then_by_order(log: Log, pause: Pause) -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    for units in (3, 1, 2):
        loop.call_later(units * UNIT_S, log.append, units)
    loop.call_at(start + 1.5 * UNIT_S, log.append, "at 1.5")
    loop.call_at(start - 1, log.append, "past")
    loop.call_soon(log.append, "soon")
    await pause(4)


@program
async def handles_can_be_cancelled(log: Log, pause: Pause) -> list[bool]:
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


@program
async def callbacks_run_in_the_order_made(log: Log, pause: Pause) -> None:
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


@program
async def task_group_waits_for_all(log: Log, pause: Pause) -> list[object]:
    work = logger(log, pause)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(str(u), u)) for u in (3, 1, 2)]
    return [task.result() for task in tasks]


@program
async def task_group_cancels_siblings_of_a_failure(log: Log, pause: Pause) -> None:
    work = logger(log, pause)
    async with asyncio.TaskGroup() as group:
        group.create_task(work("slow", 3))
        group.create_task(work("fails", 1, ValueError("bad")))
        await pause(5)
        log.append("never")


@program
async def cancelled_before_it_starts(log: Log, pause: Pause) -> bool:
    task = asyncio.create_task(logger(log, pause)("a", 1))
    task.cancel()
    await asyncio.wait([task])
    return task.cancelled()


@program
async def cancelled_while_it_sleeps(log: Log, pause: Pause) -> str:
    task = asyncio.create_task(logger(log, pause)("a", 5))
    await pause(1)
    log.append(task.cancel("why"))
    log.append(task.cancel("again"))
    try:
        await task
    except asyncio.CancelledError as error:
        return repr(error.__context__ or error)
    return "not cancelled"


@program
async def cleaning_up_may_await(log: Log, pause: Pause) -> None:
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


@program
async def cancellation_can_be_swallowed(log: Log, pause: Pause) -> list[object]:
    async def stubborn() -> str:
        with suppress(asyncio.CancelledError):
            await pause(5)
        await pause(1)
        return "finished"

    task = asyncio.create_task(stubborn())
    await pause(1)
    task.cancel()
    return [await task, task.cancelling()]


@program
async def a_task_cancels_itself(log: Log, pause: Pause) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    try:
        await pause(1)
    except asyncio.CancelledError:
        log.append(task.uncancel())
    await pause(1)


@program
async def timeout_fires(log: Log, pause: Pause) -> None:
    async with asyncio.timeout(UNIT_S) as scope:
        with suppress(ZeroDivisionError):
            await logger(log, pause)("a", 3)
    log.append(scope.expired())


@program
async def timeout_in_time_or_moved(log: Log, pause: Pause) -> list[bool]:
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(2 * UNIT_S) as first:
        await pause(1)
    async with asyncio.timeout(UNIT_S) as second:
        second.reschedule(loop.time() + 3 * UNIT_S)
        await pause(2)
    async with asyncio.timeout(None) as third:
        await pause(1)
    return [first.expired(), second.expired(), third.expired()]


@program
async def nested_timeouts_know_their_own(log: Log, pause: Pause) -> None:
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


@program
async def timeout_around_a_task_group(log: Log, pause: Pause) -> None:
    work = logger(log, pause)
    async with asyncio.timeout(2 * UNIT_S), asyncio.TaskGroup() as group:
        group.create_task(work("quick", 1))
        group.create_task(work("slow", 4))


@program
async def wait_for_returns_or_times_out(log: Log, pause: Pause) -> str:
    work = logger(log, pause)
    log.append(await asyncio.wait_for(work("a", 1), 2 * UNIT_S))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(work("b", 3), UNIT_S)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(work("c", 3), 0)
    return repr(await asyncio.wait_for(work("d", 0), None))


@program
async def queue_between_tasks(log: Log, pause: Pause) -> None:
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


@program
async def getters_of_a_queue_are_served_in_order(log: Log, pause: Pause) -> None:
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


@program
async def event_wakes_all_in_order(log: Log, pause: Pause) -> None:
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


@program
async def condition_notifies(log: Log, pause: Pause) -> None:
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


@program
async def semaphore_and_lock_are_fair(log: Log, pause: Pause) -> None:
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


@program
async def barrier_opens_when_full(log: Log, pause: Pause) -> None:
    barrier = asyncio.Barrier(3)

    async def arrive(name: str, units: float) -> None:
        await pause(units)
        log.append(f"{name} arrives")
        log.append((name, await barrier.wait()))

    async with asyncio.TaskGroup() as group:
        for number, name in enumerate("abc"):
            group.create_task(arrive(name, number))


@program
async def gather_collects_or_raises(log: Log, pause: Pause) -> None:
    work = logger(log, pause)
    both = await asyncio.gather(work("a", 2), work("b", 1, KeyError("b")), return_exceptions=True)
    log.append(repr(both))
    try:
        await asyncio.gather(work("c", 2), work("d", 1, KeyError("d")))
    finally:
        log.append("raised")
        await pause(2)


@program
async def shield_keeps_the_inner_task(log: Log, pause: Pause) -> object:
    inner = asyncio.create_task(logger(log, pause)("inner", 3))

    async def outer() -> None:
        await asyncio.shield(inner)

    task = asyncio.create_task(outer())
    await pause(1)
    task.cancel()
    await asyncio.wait([task])
    log.append(task.cancelled())
    return await inner


@program
async def wait_for_the_first(log: Log, pause: Pause) -> None:
    work = logger(log, pause)
    tasks = [asyncio.create_task(work(name, u)) for name, u in (("a", 2), ("b", 1), ("c", 3))]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    log.append((len(done), len(pending)))
    done, pending = await asyncio.wait(pending, timeout=1.5 * UNIT_S)
    log.append((len(done), len(pending)))
    for nth in asyncio.as_completed(tasks):
        await nth
    log.append("all")


@program
async def async_generators_are_closed(log: Log, pause: Pause) -> None:
    async def ticks() -> AsyncIterator[int]:
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
    await stream.aclose()  # type: ignore[attr-defined]
    log.append("after")


@program
async def context_variables_stay_with_their_task(log: Log, pause: Pause) -> str:
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name", default="none")

    async def work(mine: str, units: float) -> None:
        name.set(mine)
        asyncio.get_running_loop().call_soon(lambda: log.append(f"soon {name.get()}"))
        asyncio.get_running_loop().call_later(UNIT_S / 2, lambda: log.append(f"cb {name.get()}"))
        await pause(units)
        log.append((mine, name.get()))

    await asyncio.gather(work("a", 2), work("b", 1))
    return name.get()


@program
async def yielding_takes_turns(log: Log, pause: Pause) -> None:
    async def work(name: str) -> None:
        for turn in range(3):
            log.append((name, turn))
            await pause(0)

    await asyncio.gather(work("a"), work("b"), work("c"))


@pytest.mark.parametrize("pause", [asyncio.sleep, sleep], ids=["asyncio.sleep", "netsim.sleep"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, pause: Pause, real: dict[str, tuple[Log, str]]) -> None:
    """Same log, same result or exception."""
    assert run(outcome(PROGRAMS[name], pause)) == real[name]


def test_programs_ran_to_their_end(real: dict[str, tuple[Log, str]]) -> None:
    """The comparison means something: the logs hold what they should."""
    logs = {name: log for name, (log, _) in real.items()}
    assert logs["timers_fire_by_time_then_by_order"] == ["soon", "past", 1, "at 1.5", 2, 3]
    assert logs["nested_timeouts_know_their_own"] == ["outer", "inner"]
    assert real["timeout_fires"][1] == "TimeoutError()"
    assert "bad" in real["task_group_cancels_siblings_of_a_failure"][1]
    assert all(log or result != "None" for log, result in real.values())
