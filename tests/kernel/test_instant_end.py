"""``at_instant_end``: once, after all else at this instant, before time moves."""

import asyncio

import pytest
import simpy

from netsim.kernel import Deadlock, VirtualLoop, run, running_loop, sleep


def test_runs_after_everything_of_the_instant() -> None:
    """After ready callbacks, SimPy events and timers of now, whoever makes them."""
    log: list[str] = []

    async def main() -> None:
        loop = running_loop()
        await sleep(1)
        loop.at_instant_end(lambda: log.append(f"end at {loop.time():g}"))
        loop.call_at(1, log.append, "timer")
        loop.env.timeout(0).callbacks.append(lambda _: loop.call_soon(log.append, "event"))
        loop.call_soon(log.append, "ready")
        await sleep(1)
        log.append("later")

    run(main())
    assert log == ["ready", "event", "timer", "end at 1", "later"]


def test_is_one_shot_and_in_order() -> None:
    """Callbacks run once each, in the order registered."""
    log: list[int] = []

    async def main() -> None:
        for number in range(3):
            running_loop().at_instant_end(lambda number=number: log.append(number))
        await sleep(1)
        await sleep(1)

    run(main())
    assert log == [0, 1, 2]


def test_the_instant_goes_on_if_it_wakes_somebody() -> None:
    """Time stands still until a round of callbacks leaves nothing to do."""
    log: list[str] = []

    async def main() -> None:
        loop = running_loop()
        woken = asyncio.Event()
        loop.call_later(1, log.append, "moved")
        loop.at_instant_end(woken.set)
        await woken.wait()
        log.append(f"woken at {loop.time():g}")
        loop.at_instant_end(lambda: loop.env.timeout(0).callbacks.append(event))
        await sleep(2)

    def event(_: simpy.Event) -> None:
        log.append(f"event at {running_loop().time():g}")
        running_loop().at_instant_end(lambda: log.append(f"end at {running_loop().time():g}"))

    run(main())
    assert log == ["woken at 0", "event at 0", "end at 0", "moved"]


def test_cancelled_timers_do_not_hold_the_instant_open() -> None:
    """A cancelled timer of now is nothing left to do."""
    log: list[str] = []

    async def main() -> None:
        loop = running_loop()
        loop.call_at(0, log.append, "cancelled").cancel()
        loop.at_instant_end(lambda: log.append("end"))
        loop.call_at(1, log.append, "timer")
        await sleep(2)

    run(main())
    assert log == ["end", "timer"]


def test_can_resolve_what_would_be_a_deadlock() -> None:
    """With nothing scheduled the instant ends all the same; only then is it a deadlock."""

    async def main() -> None:
        woken = asyncio.Event()
        running_loop().at_instant_end(woken.set)
        await woken.wait()
        running_loop().at_instant_end(lambda: None)
        await asyncio.Event().wait()

    with pytest.raises(Deadlock):
        run(main())


def test_its_exception_ends_the_run() -> None:
    """Nothing is swallowed."""

    async def main() -> None:
        running_loop().at_instant_end(lambda: 1 / 0)
        await sleep(1)

    with pytest.raises(ZeroDivisionError):
        run(main())


def test_does_not_run_between_callbacks_that_yield() -> None:
    """A task that gives others a turn is still the same instant."""
    log: list[str] = []

    async def main() -> None:
        VirtualLoop.at_instant_end(running_loop(), lambda: log.append("end"))
        for turn in range(3):
            await sleep(0)
            log.append(f"turn {turn}")
        await sleep(1e-9)

    run(main())
    assert log == ["turn 0", "turn 1", "turn 2", "end"]
