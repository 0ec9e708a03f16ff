"""Runs the programs of a module (``PROGRAMS``) on asyncio's own loop and in virtual time.

Sleeps are whole units, or halves, all apart. The real loop runs all programs of a module at
once, so that the unit can be long enough for a busy machine.
"""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from netsim.kernel import sleep

Log = list[object]
Sleep = Callable[[float], Awaitable[None]]
UNIT_S = 0.1


async def outcome_of(program: Callable[..., Any], sleep: Sleep) -> tuple[Log, str]:
    """What a program logs, and its result or exception."""
    log: Log = []

    async def pause(units: float) -> None:
        await sleep(units * UNIT_S)

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

    try:
        return log, repr(await program(log, pause, work))
    except (Exception, asyncio.CancelledError) as error:
        return log, repr(error)


@pytest.fixture(scope="module")
def real(request: pytest.FixtureRequest) -> dict[str, tuple[Log, str]]:
    """Outcomes of the module's programs on asyncio's own loop."""
    programs: dict[str, Any] = request.module.PROGRAMS

    async def all_at_once() -> list[tuple[Log, str]]:
        return await asyncio.gather(*(outcome_of(p, asyncio.sleep) for p in programs.values()))

    return dict(zip(programs, asyncio.run(all_at_once()), strict=True))


@pytest.fixture(params=[asyncio.sleep, sleep], ids=["asyncio.sleep", "netsim.sleep"])
def outcome(request: SimpleNamespace) -> Callable[[Callable[..., Any]], Any]:
    """The outcome of a program that pauses by asyncio's sleep and by netsim's."""
    return lambda program: outcome_of(program, request.param)
