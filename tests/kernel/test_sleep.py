"""``netsim.kernel.sleep`` beyond what it shares with ``asyncio.sleep``."""

import asyncio

import pytest

from netsim.kernel import run, running_loop, sleep


def test_is_a_coroutine_like_any_other() -> None:
    """It can be a task, gathered, shielded and waited for."""

    async def main() -> float:
        await asyncio.create_task(sleep(1))
        await asyncio.gather(sleep(1), sleep(2))
        await asyncio.wait_for(sleep(1), 2)
        await asyncio.shield(sleep(1))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(sleep(3), 1)
        return running_loop().time()

    assert run(main()) == 6


def test_cancelling_carries_the_message_and_only_once() -> None:
    """As a future does."""

    async def main() -> None:
        caught: list[str] = []

        async def work() -> None:
            try:
                await sleep(5)
            except asyncio.CancelledError as error:
                caught.append(str(error))
            await sleep(1)

        task = asyncio.create_task(work())
        await sleep(1)
        task.cancel("first")
        task.cancel("second")
        await task
        assert caught == ["first"]
        assert running_loop().time() == 2

    run(main())


def test_cancelled_before_its_first_step_in_a_running_task() -> None:
    """A task that cancels itself is woken at once."""

    async def main() -> float:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sleep(5)
        task.uncancel()
        await sleep(1)
        return running_loop().time()

    assert run(main()) == 1


@pytest.mark.parametrize("seconds", [0, -1, 1e-30])
def test_one_turn_if_the_clock_does_not_move(seconds: float) -> None:
    """Others that are ready run; time stands still."""
    log: list[str] = []

    async def other() -> None:
        log.append("other")

    async def main() -> None:
        await sleep(1)
        task = asyncio.create_task(other())
        await sleep(seconds)
        log.append(f"main at {running_loop().time():g}")
        await task

    run(main())
    assert log == ["other", "main at 1"]


def test_wakes_in_the_context_of_its_task() -> None:
    """``asyncio.current_task`` and timeouts know who woke."""

    async def work(name: str) -> str:
        await sleep(1)
        task = asyncio.current_task()
        assert task is not None
        return f"{name} {task.get_name()}"

    async def main() -> list[str]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work(name), name=name) for name in "ab"]
        return [task.result() for task in tasks]

    assert run(main()) == ["a a", "b b"]


def test_naps_are_used_again_without_mixing_up_tasks() -> None:
    """Thousands of sleeps with cancellations in between wake who they should, when."""

    async def work(number: int) -> int:
        count = 0
        for turn in range(50):
            start = running_loop().time()
            duration = 1 + (number * turn) % 7
            try:
                async with asyncio.timeout(4.5):
                    await sleep(duration)
            except TimeoutError:
                assert duration > 4
                assert running_loop().time() == start + 4.5
            else:
                assert running_loop().time() == start + duration
                count += 1
        return count

    async def main() -> list[int]:
        return await asyncio.gather(*(work(number) for number in range(40)))

    expected = [sum((n * turn) % 7 < 4 for turn in range(50)) for n in range(40)]
    assert run(main()) == expected


def test_is_asyncios_in_real_time() -> None:
    """The same protocol runs on a real network."""
    assert asyncio.run(sleep(0.001)) is None
