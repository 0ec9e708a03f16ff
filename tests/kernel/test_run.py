"""``run`` leaves nothing behind."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator

import pytest

from netsim.kernel import VirtualLoop, run, running_loop, sleep


async def answer() -> int:
    """A short program."""
    await sleep(1)
    return 42


def test_returns_the_result() -> None:
    """Each run starts at time zero."""
    assert run(answer()) == 42
    assert run(answer()) == 42


def test_no_loop_is_left_set() -> None:
    """As after ``asyncio.run``."""
    run(answer())
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()


def test_exceptions_pass_through() -> None:
    """The same object, also one that is no Exception."""
    for error in (KeyError("x"), SystemExit(3), asyncio.CancelledError("y")):

        async def fail(error: BaseException = error) -> None:
            await sleep(1)
            raise error

        with pytest.raises(type(error)) as caught:
            run(fail())
        if not isinstance(error, asyncio.CancelledError):
            assert caught.value is error


def test_remaining_tasks_are_cancelled_in_the_order_made() -> None:
    """And may take virtual time to clean up."""
    log: list[str] = []

    async def serve(name: str) -> None:
        try:
            await sleep(1e6)
        finally:
            await sleep(1)
            log.append(f"{name} at {running_loop().time():g}")

    async def main() -> int:
        tasks = [asyncio.create_task(serve(f"{k}")) for k in range(20)]
        await sleep(1)
        return len(tasks)

    assert run(main()) == 20
    assert log == [f"{k} at 2" for k in range(20)]


def test_a_failure_during_cancellation_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """It must not hide how the run ended."""

    async def bad() -> None:
        try:
            await sleep(1e6)
        finally:
            raise ValueError("while tidying up")

    async def main() -> str:
        asyncio.create_task(bad())  # noqa: RUF006 - left to the shutdown on purpose
        await sleep(1)
        return "fine"

    with caplog.at_level(logging.ERROR):
        assert run(main()) == "fine"
    assert "while tidying up" in caplog.text


def test_async_generators_are_closed() -> None:
    """Also one that nobody finished."""
    log: list[str] = []

    async def ticks() -> AsyncIterator[int]:
        try:
            while True:
                await sleep(1)
                yield 1
        finally:
            await sleep(1)
            log.append("closed")

    async def main() -> None:
        stream = ticks()
        held.append(stream)
        await anext(stream)

    held: list[AsyncIterator[int]] = []
    run(main())
    assert log == ["closed"]


def test_an_async_generator_dropped_on_the_way_is_closed() -> None:
    """Its ``finally`` runs in the same instant."""
    log: list[float] = []

    async def ticks() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            log.append(running_loop().time())

    async def main() -> None:
        async for _ in ticks():
            break
        gc.collect()
        await sleep(1)

    run(main())
    assert log == [0]


def test_nesting_is_refused() -> None:
    """In virtual and in real time, and the coroutine is not left un-awaited."""

    async def main() -> None:
        with pytest.raises(RuntimeError, match="inside a running event loop"):
            run(answer())

    run(main())
    asyncio.run(main())


def test_tasks_that_are_done_are_dropped_by_the_loop() -> None:
    """Long runs with many tasks do not grow."""

    async def main() -> None:
        loop = running_loop()
        for _ in range(300):
            await asyncio.create_task(sleep(1))
            assert len(loop._tasks) <= 100
        assert [task.get_coro().__qualname__ for task in loop.tasks()] == [main.__qualname__]

    run(main())


def test_needs_virtual_time() -> None:
    """What only virtual time can do says so elsewhere."""

    async def main() -> None:
        running_loop()

    with pytest.raises(RuntimeError, match="virtual time"):
        asyncio.run(main())


def test_asyncios_debug_mode_works() -> None:
    """Its checks are passed over, not tripped over."""
    with asyncio.Runner(loop_factory=VirtualLoop, debug=True) as runner:
        assert runner.run(answer()) == 42
