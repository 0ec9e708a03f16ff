"""Coroutines wait for SimPy, SimPy processes wait for coroutines."""

import asyncio
from typing import Any

import pytest
import simpy

from netsim.kernel import as_event, run, running_loop, sleep, until

Generator = simpy.events.ProcessGenerator


class LinkError(Exception):
    """A failure of a test."""


async def double(number: int, delay_s: float = 1) -> int:
    """A coroutine with a result."""
    await sleep(delay_s)
    return 2 * number


async def fail(delay_s: float = 1) -> None:
    """A coroutine that fails."""
    await sleep(delay_s)
    raise LinkError("down")


def test_until_returns_the_value_of_events_processes_and_conditions() -> None:
    """At the time they happen."""

    async def main() -> list[Any]:
        env = running_loop().env

        def process() -> Generator:
            yield env.timeout(2)
            return "process"

        first = env.timeout(1, "first")
        results = [await until(first), env.now, await until(env.process(process())), env.now]
        either = await until(env.timeout(1, "fast") | env.timeout(9, "slow"))
        return [*results, list(either.values()), env.now]

    assert run(main()) == ["first", 1, "process", 3, ["fast"], 4]


def test_until_accepts_processed_events() -> None:
    """Their value or exception comes at once."""

    async def main() -> None:
        env = running_loop().env
        event, bad = env.timeout(1, "old"), env.event()
        bad.fail(LinkError("old"))
        bad.defused = True
        await sleep(2)
        assert event.processed
        assert bad.processed
        assert await until(event) == "old"
        with pytest.raises(LinkError):
            await until(bad)
        assert env.now == 2

    run(main())


def test_a_failed_event_raises_in_every_waiter_and_counts_as_handled() -> None:
    """The environment does not raise it as well."""

    async def main() -> list[Any]:
        env = running_loop().env

        def process() -> Generator:
            yield env.timeout(1)
            raise LinkError("down")

        event = env.process(process())
        waits = (until(event), until(event))
        results = await asyncio.gather(*waits, return_exceptions=True)
        await sleep(1)
        return results

    assert [str(error) for error in run(main())] == ["down", "down"]


def test_a_failed_process_that_nobody_waits_for_ends_the_run() -> None:
    """SimPy's rule, kept; also when the one who waited was cancelled."""
    env = simpy.Environment()

    def process() -> Generator:
        yield env.timeout(2)
        raise LinkError("alone")

    async def main() -> None:
        task = asyncio.create_task(until(env.process(process())))
        await sleep(1)
        task.cancel()
        await sleep(5)

    with pytest.raises(LinkError, match="alone"):
        run(main(), env)
    assert env.now == 2


def test_a_cancelled_waiter_lets_go_of_the_event() -> None:
    """By ``cancel`` and by ``timeout``; other waiters stay."""

    async def main() -> None:
        env = running_loop().env
        event = env.event()
        other = asyncio.create_task(until(event))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await until(event)
        assert len(event.callbacks) == 1
        event.succeed("value")
        assert await other == "value"

    run(main())


def test_a_waiter_cancelled_as_the_event_fires_does_not_handle_its_failure() -> None:
    """If an earlier callback of the same event cancels it, nobody has seen the exception."""

    async def main() -> None:
        env = running_loop().env
        event = env.event()
        event.callbacks.append(lambda _: task.cancel())
        task = asyncio.create_task(until(event))
        await asyncio.sleep(0)
        event.fail(LinkError("unseen"))
        await sleep(1)

    with pytest.raises(LinkError, match="unseen"):
        run(main())


def test_events_of_another_environment_are_refused() -> None:
    """They would never happen here."""
    with pytest.raises(ValueError, match="another environment"):
        run(until(simpy.Environment().timeout(1)))


def test_a_process_can_yield_a_coroutine() -> None:
    """Result, time, and SimPy's own conditions."""
    log: list[Any] = []

    async def main() -> None:
        env = running_loop().env

        def process() -> Generator:
            log.append((yield as_event(double(1))))
            event = as_event(double(2, delay_s=5))
            result = yield event | env.timeout(1)
            log.append(event in result)
            log.append(((yield event), env.now))

        await until(env.process(process()))

    run(main())
    assert log == [2, False, (4, 6)]


def test_the_exception_of_a_coroutine_is_raised_in_the_process() -> None:
    """It can be handled there."""

    async def main() -> str:
        env = running_loop().env

        def process() -> Generator:
            try:
                yield as_event(fail())
            except LinkError as error:
                yield env.timeout(1)
                return f"handled {error} at {env.now:g}"

        return str(await until(env.process(process())))

    assert run(main()) == "handled down at 2"


def test_the_exception_of_a_coroutine_that_nobody_waits_for_ends_the_run() -> None:
    """An event that failed unseen is an error of SimPy's environment."""

    async def main() -> None:
        as_event(fail())
        await sleep(5)

    with pytest.raises(LinkError, match="down"):
        run(main())


def test_a_cancelled_coroutine_tells_who_waits_and_nobody_else() -> None:
    """Its event fails with CancelledError."""
    log: list[str] = []

    async def main() -> None:
        env = running_loop().env
        tasks = [asyncio.create_task(double(1, 9)) for _ in range(2)]
        as_event(tasks[0])

        def process() -> Generator:
            try:
                yield as_event(tasks[1])
            except asyncio.CancelledError:
                log.append(f"cancelled at {env.now:g}")

        env.process(process())
        await sleep(1)
        for task in tasks:
            task.cancel()
        await sleep(1)

    run(main())
    assert log == ["cancelled at 1"]


def test_an_interrupted_process_lets_go_of_the_coroutine() -> None:
    """The coroutine goes on; the process handles the interrupt."""
    log: list[Any] = []

    async def main() -> None:
        env = running_loop().env

        async def work() -> None:
            await double(1, 3)
            log.append(("coroutine", env.now))

        def process() -> Generator:
            try:
                yield as_event(work())
            except simpy.Interrupt as interrupt:
                log.append((interrupt.cause, env.now))

        victim = env.process(process())
        await sleep(1)
        victim.interrupt("churn")
        await until(victim)
        await sleep(5)

    run(main())
    assert log == [("churn", 1), ("coroutine", 3)]


def test_an_interrupt_that_a_process_does_not_handle_reaches_its_waiter() -> None:
    """``until`` raises what ended the process."""

    async def main() -> None:
        env = running_loop().env

        def process() -> Generator:
            yield env.timeout(100)

        victim = env.process(process())
        running_loop().call_later(1, victim.interrupt, "churn")
        with pytest.raises(simpy.Interrupt) as caught:
            await until(victim)
        assert caught.value.cause == "churn"
        assert env.now == 1

    run(main())


def test_there_and_back_again() -> None:
    """A coroutine waits for a process that waits for a coroutine."""

    async def main() -> int:
        env = running_loop().env

        def process() -> Generator:
            result: int = yield as_event(double(4))
            yield env.timeout(1)
            return result + 1

        return int(await until(as_event(until(env.process(process())))))

    assert run(main()) == 9
