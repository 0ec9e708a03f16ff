"""Time moves only to what happens, in a defined order."""

import asyncio
import math
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import simpy

from netsim.kernel import Deadlock, VirtualLoop, run, running_loop, sleep

Pause = Callable[[float], Coroutine[Any, Any, None]]


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


@pytest.mark.parametrize("pause", [asyncio.sleep, sleep])
def test_not_a_number_is_refused(pause: Pause) -> None:
    """A NaN would spoil the order of the heap."""
    with pytest.raises(ValueError, match="nan"):
        run(pause(math.nan))


def test_threads_and_sockets_are_refused() -> None:
    """They would live in real time."""

    async def main() -> None:
        loop = running_loop()
        with pytest.raises(RuntimeError, match="virtual time"):
            await asyncio.to_thread(print)
        with pytest.raises(RuntimeError, match="virtual time"):
            await loop.run_in_executor(None, print, "x")
        with pytest.raises(RuntimeError, match="virtual time"):
            await asyncio.open_connection("localhost", 1)
        with pytest.raises(RuntimeError, match="virtual time"):
            await asyncio.start_server(lambda r, w: None, "localhost", 1)

    run(main())


def test_only_the_loops_own_thread_may_call_soon_threadsafe() -> None:
    """Another thread would make the order of events a matter of luck."""
    answers: list[str] = []

    async def main() -> None:
        loop = running_loop()
        loop.call_soon_threadsafe(answers.append, "own")

        def other() -> None:
            with pytest.raises(RuntimeError, match="another thread"):
                loop.call_soon_threadsafe(answers.append, "other")
            answers.append("refused")

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        await asyncio.sleep(0)

    run(main())
    assert answers == ["refused", "own"]


def test_an_exception_in_a_callback_ends_the_run() -> None:
    """asyncio would log it and go on."""

    async def main() -> None:
        running_loop().call_later(1, lambda: 1 / 0)
        await sleep(5)

    env = simpy.Environment()
    with pytest.raises(ZeroDivisionError):
        run(main(), env)
    assert env.now == 1


def test_a_loop_can_be_stopped_and_run_again() -> None:
    """What is ready when ``stop`` is called still runs; the rest waits for the next run."""
    log: list[str] = []
    loop = VirtualLoop()

    def stop_twice() -> None:
        loop.stop()
        loop.stop()
        loop.call_soon(log.append, "next run")

    loop.call_soon(stop_twice)
    loop.call_soon(log.append, "this run")
    loop.run_forever()
    assert log == ["this run"]
    loop.call_soon(loop.stop)
    loop.run_forever()
    assert log == ["this run", "next run"]
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_soon(print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_later(1, print)


def test_a_loop_that_failed_can_run_again() -> None:
    """A stop that an exception overtook does not end the next run."""
    loop = VirtualLoop()
    loop.call_soon(loop.stop)
    loop.call_soon(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        loop.run_forever()
    assert loop.run_until_complete(asyncio.sleep(3, "done")) == "done"
    loop.close()


def test_handles_say_what_they_are() -> None:
    """They are asyncio's, know their time and show their callback."""

    async def main() -> None:
        loop = running_loop()
        timer, ready = loop.call_at(3, print), loop.call_soon(len, "x")
        assert isinstance(timer, asyncio.TimerHandle)
        assert isinstance(ready, asyncio.Handle)
        assert timer.when() == 3
        assert "print" in repr(timer)
        assert "len" in repr(ready)

    run(main())
