"""A run that cannot go on says who waits for what."""

import asyncio
import pickle

import pytest
import simpy

from netsim.kernel import Deadlock, Wait, run, running_loop, sleep, until, waiting


async def receive(node: int) -> None:
    """A node that waits for ever."""
    await sleep(node)
    with waiting(f"node {node}", lambda: f"update of round {node + 1}", "server"):
        await asyncio.Event().wait()


async def stuck() -> None:
    """A task that registers nothing."""
    await asyncio.get_running_loop().create_future()


def test_report_names_each_node_what_it_waits_for_and_from_whom() -> None:
    """One line a wait, and the other tasks by the names of their coroutines."""

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            for node in (2, 1):
                group.create_task(receive(node))
            group.create_task(stuck())
            group.create_task(stuck())
            with waiting("server", "all clients"):
                await stuck()

    with pytest.raises(Deadlock) as caught:
        run(main())
    assert caught.value.waits == [
        Wait("server", "all clients"),
        Wait("node 2", "update of round 3", "server"),
        Wait("node 1", "update of round 2", "server"),
    ]
    assert str(caught.value).splitlines() == [
        "nothing can happen after 2 s, but these wait:",
        "  server waits for all clients",
        "  node 2 waits for update of round 3 from server",
        "  node 1 waits for update of round 2 from server",
        "  2 × task stuck",
    ]


def test_tasks_without_a_wait_are_named() -> None:
    """Also the main one."""
    with pytest.raises(Deadlock) as caught:
        run(stuck())
    assert caught.value.waits == []
    assert caught.value.others == ["stuck"]
    assert "task stuck" in str(caught.value)


def test_a_task_that_waits_for_its_group_is_not_named() -> None:
    """What holds it up is; one that waits for something else within its group is named."""

    async def group(own: bool) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(receive(1))
            if own:
                await stuck()

    async def outer() -> None:
        await group(own=False)

    async def main() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(outer())
            tasks.create_task(group(own=True), name="a name")

    with pytest.raises(Deadlock) as caught:
        run(main())
    assert [str(wait) for wait in caught.value.waits] == [
        "node 1 waits for update of round 2 from server"
    ] * 2
    qualname = f"{test_a_task_that_waits_for_its_group_is_not_named.__name__}.<locals>.group"
    assert caught.value.others == [qualname]


def test_tasks_that_nobody_refers_to_are_named() -> None:
    """The loop keeps them alive: the report does not depend on the garbage collector."""

    async def main() -> None:
        asyncio.create_task(receive(7))  # noqa: RUF006 - that nobody holds it is the point
        await sleep(10)
        await stuck()

    with pytest.raises(Deadlock, match="node 7 waits"):
        run(main())


def test_all_tasks_are_cancelled() -> None:
    """Every coroutine gets to clean up, in the order the tasks were made."""
    log: list[int] = []

    async def wait(node: int) -> None:
        try:
            await receive(node)
        finally:
            await sleep(1)
            log.append(node)

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            for node in (3, 1, 2):
                group.create_task(wait(node))

    with pytest.raises(Deadlock):
        run(main())
    assert log == [3, 1, 2]


def test_innermost_wait_counts_and_left_ones_do_not() -> None:
    """Waits nest, and are over when left, by whatever way."""

    async def main() -> None:
        with waiting("node 1", "outer"):
            with waiting("node 1", "over"):
                await sleep(1)
            with pytest.raises(TimeoutError), waiting("node 1", "timed out"):
                async with asyncio.timeout(1):
                    await stuck()
            task = asyncio.create_task(receive(0))
            await sleep(1)
            task.cancel()
            await asyncio.wait([task])
            with waiting("node 1", "inner"):
                await stuck()

    with pytest.raises(Deadlock) as caught:
        run(main())
    assert caught.value.waits == [Wait("node 1", "inner")]


def test_a_wait_that_is_over_is_not_reported() -> None:
    """Its task is among the others."""

    async def main() -> None:
        with waiting("node 1", "over"):
            await sleep(1)
        await stuck()

    with pytest.raises(Deadlock) as caught:
        run(main())
    assert caught.value.waits == []
    assert caught.value.time_s == 1


def test_cancelled_timers_do_not_hide_a_deadlock() -> None:
    """Nor do they move the clock on the way there."""

    async def main() -> None:
        running_loop().call_later(500, print).cancel()
        await stuck()

    with pytest.raises(Deadlock) as caught:
        run(main())
    assert caught.value.time_s == 0


def test_waits_of_an_earlier_run_are_forgotten() -> None:
    """A deadlock leaves nothing behind."""
    for _ in range(2):
        with pytest.raises(Deadlock) as caught:
            run(receive(1))
        assert len(caught.value.waits) == 1


def test_text_is_made_only_for_a_report() -> None:
    """A wait that ends well never calls its function."""

    async def main() -> None:
        with waiting("node 1", lambda: pytest.fail("called")):
            await sleep(1)

    run(main())


def test_only_a_task_can_wait() -> None:
    """A callback has nobody to wait."""

    async def main() -> None:
        def callback() -> None:
            with pytest.raises(RuntimeError, match="task"), waiting("node", "x"):
                pass
            called.set_result(None)

        called = running_loop().create_future()
        running_loop().call_soon(callback)
        await called

    run(main())


def test_waiting_works_in_real_time_too() -> None:
    """Protocols run on asyncio's own loop unchanged."""

    async def main() -> str:
        with waiting("node 1", "update"):
            await asyncio.sleep(0)
        return "done"

    assert asyncio.run(main()) == "done"


def test_a_simpy_event_that_nobody_triggers_is_a_deadlock() -> None:
    """SimPy alone would return in silence."""

    async def main() -> None:
        env = running_loop().env

        def process() -> simpy.events.ProcessGenerator:
            yield env.event()

        await until(env.process(process()))

    with pytest.raises(Deadlock, match="main"):
        run(main())


def test_refusing_to_be_cancelled_is_reported_not_hung() -> None:
    """A task that swallows its cancellation and waits on is a deadlock of the shutdown."""
    release: list[asyncio.Event] = []

    async def stubborn() -> None:
        try:
            await stuck()
        except asyncio.CancelledError:
            release.append(asyncio.Event())
            await release[0].wait()

    async def main() -> None:
        asyncio.create_task(stubborn())  # noqa: RUF006 - left to the shutdown on purpose
        await sleep(1)

    with pytest.raises(Deadlock, match="stubborn"):
        run(main())


def test_a_deadlock_can_be_pickled() -> None:
    """Studies raise it in worker processes."""
    error = Deadlock([Wait("node 1", "update", "server")], ["stuck"], 2.5, "nothing arrives")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert copy.waits == error.waits
