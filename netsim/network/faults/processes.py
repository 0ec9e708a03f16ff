"""Failures in continuous time, as SimPy processes."""

import csv
from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import simpy

from netsim.kernel.streams import Streams
from netsim.network.faults.config import Outages

Switch = Callable[[int, bool], None]
"""Called with a host or a client and whether it is up from now on."""


class TraceError(ValueError):
    """A file of failures that cannot be used; names the file and the line."""


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
    """Changes in the order of their times; raises `TraceError`."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except OSError as error:
        raise TraceError(f"{path}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise TraceError(f"{path}: is no CSV file: {error}") from error
    if not rows or rows[0] != ["time_s", "node", "on"]:
        raise TraceError(f"{path}:1: the first line must be time_s,node,on")
    changes = [_change(path, line, row, clients) for line, row in enumerate(rows[1:], 2)]
    for line, (one, other) in enumerate(pairwise(changes), 3):
        if other.time_s < one.time_s:
            raise TraceError(f"{path}:{line}: {other.time_s:g} s comes after {one.time_s:g} s")
    return changes


def _change(path: Path, line: int, row: list[str], clients: int) -> Change:
    try:
        time_text, node_text, on_text = row
        time_s, node, on = float(time_text), int(node_text), {"1": True, "0": False}[on_text]
    except (ValueError, KeyError) as error:
        raise TraceError(f"{path}:{line}: expected time_s,node,on with on 1 or 0") from error
    if not 0 <= time_s < float("inf") or not 0 <= node < clients:
        raise TraceError(f"{path}:{line}: times are from 0 on and nodes are 0 to {clients - 1}")
    return Change(time_s, node, on)
