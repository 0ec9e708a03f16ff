"""The barrier between phases."""

import asyncio

import pytest

from netsim.kernel import run, running_loop, sleep
from netsim.protocols.phases import Phases


def times(barrier, roles):
    """When each role got past each of its phases; a role is a list of durations."""

    async def act(phases, durations, log):
        for seconds in durations:
            await sleep(seconds)
            await phases.done()
            log.append(running_loop().time())
        phases.leave()

    async def main():
        phases, logs = Phases(barrier), [[] for _ in roles]
        for _ in roles:
            phases.enter()
        async with asyncio.TaskGroup() as group:
            for role, log in zip(roles, logs, strict=True):
                group.create_task(act(phases, role, log))
        return logs

    return run(main())


def test_every_phase_waits_for_the_slowest():
    """Phases end at 3 s and at 3 + 5 s for all."""
    assert times(True, [[1, 5], [3, 1], [2, 2]]) == [[3, 8]] * 3


def test_without_a_barrier_nobody_waits():
    """Each at its own pace."""
    assert times(False, [[1, 5], [3, 1]]) == [[1, 6], [3, 4]]


def test_a_role_that_ended_is_not_waited_for():
    """Two phases of one role, one of the other; and one with none at all."""
    assert times(True, [[1, 1, 1], [2], []]) == [[2, 3, 4], [2], []]


def test_a_role_that_is_cancelled_while_it_waits_frees_the_others():
    """It leaves like one that ended."""

    async def main():
        phases = Phases(True)
        phases.enter()
        phases.enter()
        gone = asyncio.create_task(phases.done())
        gone.add_done_callback(lambda _: phases.leave())
        await sleep(1)
        gone.cancel()
        await asyncio.sleep(0)
        await phases.done()
        return running_loop().time(), gone.cancelled()

    assert run(main()) == (1, True)


def test_the_barrier_of_a_round_is_whole_again_in_the_next():
    """Counted afresh for the roles that enter."""

    async def main():
        phases, log = Phases(True), []

        async def act(seconds):
            await sleep(seconds)
            await phases.done()
            log.append(running_loop().time())
            phases.leave()

        for _ in range(2):
            for _ in range(2):
                phases.enter()
            async with asyncio.TaskGroup() as group:
                group.create_task(act(1))
                group.create_task(act(4))
        return log

    assert run(main()) == pytest.approx([4, 4, 8, 8])
