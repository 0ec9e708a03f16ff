"""Failures in continuous time, as SimPy processes."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import simpy

from netsim.kernel.streams import Streams
from netsim.network.faults.config import Outages
from netsim.scenario.csv_file import CsvError, read_csv, seconds, whole

Switch = Callable[[int, bool], None]
"""Called with a host or a client and whether it is up from now on."""


@dataclass(frozen=True)
class Change:
    """From ``time_s`` on, client ``node`` is ``on`` or not."""

    time_s: float
    node: int
    on: bool


def outages(
    env: simpy.Environment, config: Outages, streams: Streams, hosts: int, switch: Switch
) -> None:
    """Start a process for each host's access link, which fails and is repaired in turn."""
    for host in range(hosts):
        env.process(_outages(env, config, streams, host, switch))


def _outages(
    env: simpy.Environment, config: Outages, streams: Streams, host: int, switch: Switch
) -> Generator[simpy.Event, None, None]:
    rng = streams.rng("outages", host)
    while True:
        yield env.timeout(rng.exponential(config.mtbf))
        switch(host, False)
        yield env.timeout(rng.exponential(config.mttr))
        switch(host, True)


def play(env: simpy.Environment, changes: list[Change], switch: Switch) -> None:
    """Start a process that switches clients on and off as a trace says."""
    env.process(_play(env, changes, switch))


def _play(
    env: simpy.Environment, changes: list[Change], switch: Switch
) -> Generator[simpy.Event, None, None]:
    for change in changes:
        if change.time_s > env.now:
            yield env.timeout(change.time_s - env.now)
        switch(change.node, change.on)


def read_trace(path: Path, clients: int) -> list[Change]:
    """Changes in the order of their times; raises `CsvError`."""

    def change(cells: list[str]) -> Change:
        time_s, node = seconds("time_s", cells[0]), whole("node", cells[1], clients - 1)
        return Change(time_s, node, whole("on", cells[2], 1) == 1)

    changes = read_csv(path, ("time_s", "node", "on"), change)
    late = [
        f":{line}: {other.time_s:g} s comes after {one.time_s:g} s"
        for (_, one), (line, other) in pairwise(changes)
        if other.time_s < one.time_s
    ]
    if late:
        raise CsvError(path, late)
    return [change for _, change in changes]
