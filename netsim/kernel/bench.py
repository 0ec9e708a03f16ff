"""How fast virtual time runs: sleeps a second of processor time, beside bare SimPy's timeouts."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from time import process_time

import simpy

from netsim.kernel.runner import run
from netsim.kernel.sleeping import sleep
from netsim.kernel.streams import Streams

_TURNS = 10
"""Turns that the contestants take, so that a busy machine slows them alike."""


def sleeps(coroutines: int = 1000, sleeps_each: int = 1000) -> dict[str, float]:
    """Rates in sleeps a second of processor time: ``simpy`` (bare timeouts), ``asyncio``
    (``asyncio.sleep`` in virtual time) and ``netsim`` (``netsim.kernel.sleep``).

    Each contestant runs ``coroutines`` at once that sleep ``sleeps_each`` times in all, for
    the same random durations in (0, 1) s, cut into turns of which each is a run of its own.
    ``ValueError`` if either number is < 1.
    """
    if min(coroutines, sleeps_each) < 1:
        raise ValueError("coroutines and sleeps_each must be at least 1")
    contestants: dict[str, Callable[[list[list[float]]], None]] = {
        "simpy": _on_simpy,
        "asyncio": lambda turn: run(_on_asyncio(asyncio.sleep, turn)),
        "netsim": lambda turn: run(_on_asyncio(sleep, turn)),
    }
    rng = Streams(0).rng("bench sleeps")
    spent_s = dict.fromkeys(contestants, 0.0)
    for turn in range(min(_TURNS, sleeps_each)):
        each = len(range(turn, sleeps_each, _TURNS))
        durations_s = rng.random((coroutines, each)).tolist()
        for name, contestant in contestants.items():
            gc.collect()
            start_s = process_time()
            contestant(durations_s)
            spent_s[name] += process_time() - start_s
    return {name: coroutines * sleeps_each / time_s for name, time_s in spent_s.items()}


def _on_simpy(durations_s: list[list[float]]) -> None:
    env = simpy.Environment()

    def sleeper(mine_s: list[float]) -> simpy.events.ProcessGenerator:
        for duration_s in mine_s:
            yield env.timeout(duration_s)

    for mine_s in durations_s:
        env.process(sleeper(mine_s))
    env.run()


async def _on_asyncio(
    sleep: Callable[[float], Awaitable[None]], durations_s: list[list[float]]
) -> None:
    async def sleeper(mine_s: list[float]) -> None:
        for duration_s in mine_s:
            await sleep(duration_s)

    async with asyncio.TaskGroup() as group:
        for mine_s in durations_s:
            group.create_task(sleeper(mine_s))
