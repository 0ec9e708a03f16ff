"""Time moves only to what happens, in a defined order."""

import asyncio
import math
import re
from collections.abc import Callable, Coroutine
from copy import copy
from typing import Any

import pytest
import simpy

from netsim.kernel import Deadlock, VirtualLoop, run, running_loop, sleep, until

Pause = Callable[[float], Coroutine[Any, Any, None]]


async def timeout(seconds: float) -> None:
    """A pause by an event of SimPy."""
    await until(running_loop().env.timeout(seconds))


def test_a_million_seconds_pass_at_once() -> None:
    """The clock jumps."""

    async def main() -> float:
        await sleep(1e6)
        await asyncio.sleep(1e6)
        return running_loop().time()

    assert run(main()) == 2e6


def test_time_is_that_of_the_environment() -> None:
    """The loop starts at the environment's time and leaves it at the end of the run."""
    env = simpy.Environment(initial_time=5)

    async def main() -> float:
        await sleep(2.5)
        return running_loop().time()

    assert run(main(), env) == 7.5
    assert env.now == 7.5


def test_durations_add_up_without_drift() -> None:
    """A timer fires at exactly now + delay, not at a rounded time."""

    async def main() -> list[float]:
        times = []
        for _ in range(10):
            await sleep(0.1)
            times.append(running_loop().time())
        return times

    expected = [0.1]
    for _ in range(9):
        expected.append(expected[-1] + 0.1)
    assert run(main()) == expected


@pytest.mark.parametrize("pause", [asyncio.sleep, sleep])
def test_cancelled_timers_do_not_move_the_clock(pause: Pause) -> None:
    """Neither a timeout that was not needed nor a cancelled sleep is waited for."""

    async def main() -> None:
        task = asyncio.create_task(pause(1e9))
        running_loop().call_later(500, print).cancel()
        async with asyncio.timeout(1e6):
            await pause(1)
        task.cancel()
        await asyncio.wait([task])
        running_loop().env.process(last_event())

    def last_event() -> simpy.events.ProcessGenerator:
        yield env.timeout(1)

    env = simpy.Environment()
    loop = VirtualLoop(env)
    loop.run_until_complete(main())
    assert env.now == 1
    with pytest.raises(Deadlock):
        loop.run_forever()
    assert env.now == 2
    loop.close()


@pytest.mark.parametrize("pause", [asyncio.sleep, sleep])
def test_cancelled_timers_do_not_accumulate(pause: Pause) -> None:
    """The heap stays small when long timers are made and cancelled over and over."""

    async def main() -> int:
        longest = 0
        for _ in range(3000):
            task = asyncio.create_task(pause(1e6))
            async with asyncio.timeout(1e6):
                await pause(1)
            task.cancel()
            await asyncio.wait([task])
            longest = max(longest, len(running_loop()._scheduled))
        return longest

    assert run(main()) < 300


def test_timers_survive_the_sweeping_of_cancelled_ones() -> None:
    """Live timers keep their order while hundreds of others are cancelled."""
    fired: list[float] = []

    async def main() -> None:
        loop = running_loop()
        handles = [loop.call_at(k, fired.append, k) for k in range(500)]
        for k in range(500):
            if k % 5:
                handles[k].cancel()
        await sleep(1000)

    run(main())
    assert fired == list(range(0, 500, 5))


def test_timers_due_together_run_in_the_order_made() -> None:
    """Whatever made them: calls and sleeps alike; a past time counts as now."""
    log: list[str] = []

    async def nap(name: str) -> None:
        await sleep(2)
        log.append(name)

    async def main() -> None:
        loop = running_loop()
        await sleep(1)
        loop.call_at(3, log.append, "call 1")
        async with asyncio.TaskGroup() as group:
            group.create_task(nap("nap 1"))
            await asyncio.sleep(0)
            loop.call_later(2, log.append, "call 2")
            group.create_task(nap("nap 2"))
            await asyncio.sleep(0)
            loop.call_at(3, log.append, "call 3")
        loop.call_at(1, log.append, "past 1")
        loop.call_at(0, log.append, "past 2")
        await sleep(1)

    run(main())
    assert log == ["call 1", "nap 1", "call 2", "nap 2", "call 3", "past 1", "past 2"]


def test_a_timer_can_cancel_another_of_the_same_instant() -> None:
    """Being due together does not make a timer final."""
    log: list[str] = []

    async def main() -> None:
        loop = running_loop()
        loop.call_at(1, lambda: second.cancel())
        second = loop.call_at(1, log.append, "second")
        loop.call_at(1, lambda: sleeper.cancel())
        sleeper = asyncio.create_task(sleep(1))
        await asyncio.wait([sleeper])
        log.append(f"{sleeper.cancelled()} at {loop.time():g}")

    run(main())
    assert log == ["True at 1"]


def test_simpy_goes_first_at_equal_times() -> None:
    """Also if the timer was made first: what arrives at the deadline is in time."""
    log: list[str] = []

    async def main() -> None:
        loop = running_loop()
        loop.call_at(1, log.append, "timer")
        for name in ("event 1", "event 2"):
            loop.env.timeout(1).callbacks.append(lambda _, name=name: arrive(name))
        await sleep(2)

    def arrive(name: str) -> None:
        log.append(name)
        running_loop().call_soon(log.append, f"ready after {name}")

    run(main())
    assert log == ["event 1", "ready after event 1", "event 2", "ready after event 2", "timer"]


def test_infinite_timers_never_fire_and_never_count() -> None:
    """A wait until infinity is a deadlock, in SimPy's queue or in the loop's."""

    async def main() -> None:
        loop = running_loop()
        loop.call_later(math.inf, print, "never")
        loop.env.timeout(math.inf)
        async with asyncio.timeout(math.inf), asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(math.inf))
            await sleep(math.inf)

    env = simpy.Environment()
    with pytest.raises(Deadlock):
        run(main(), env)
    assert env.now == 0


@pytest.mark.parametrize("when", [9e9, 1e300])
@pytest.mark.parametrize("pause", [asyncio.sleep, sleep, timeout])
def test_nothing_happens_past_the_horizon(pause: Pause, when: float) -> None:
    """What takes hundreds of years is never over, and the report says why."""
    env = simpy.Environment()
    told = re.escape("nothing can happen after 0 s and up to 9e+09 s")
    with pytest.raises(Deadlock, match=told) as caught:
        run(pause(when), env)
    assert env.now == 0
    assert str(copy(caught.value)) == str(caught.value)


@pytest.mark.parametrize("pause", [asyncio.sleep, sleep, timeout])
def test_what_happens_just_before_the_horizon(pause: Pause) -> None:
    """The last second of virtual time is like any other."""
    env = simpy.Environment()
    run(pause(9e9 - 1), env)
    assert env.now == 9e9 - 1


@pytest.mark.parametrize("pause", [asyncio.sleep, sleep])
def test_not_a_number_is_refused(pause: Pause) -> None:
    """A NaN would spoil the order of the heap."""
    with pytest.raises(ValueError, match="nan"):
        run(pause(math.nan))
