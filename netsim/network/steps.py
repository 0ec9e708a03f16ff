"""Rates that change over time, from a CSV file."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import inf
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.units import Rate

_HEADER = ["time_s", "rate"]
_RATE: TypeAdapter[float] = TypeAdapter(Rate)
_MOST_FAULTS = 10


class StepsError(ValueError):
    """A file of rates that cannot be used; ``faults`` holds one message a fault."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.faults = [f"{path}{fault}" for fault in faults]
        super().__init__("\n".join(self.faults))


@dataclass(frozen=True)
class Steps:
    """Rate ``rate_bps[i]`` holds from ``time_s[i]`` to the next time; the first time is 0.

    When repeated, the last rate lasts as long as the one before it, and the first follows.
    """

    time_s: tuple[float, ...]
    rate_bps: tuple[float, ...]
    repeat: bool

    def changes(self) -> Iterator[tuple[float, float]]:
        """Each time after 0 at which a rate begins, and that rate; endless when repeated."""
        steps = list(zip(self.time_s, self.rate_bps, strict=True))
        yield from steps[1:]
        if self.repeat and len(steps) > 1:
            period = 2 * self.time_s[-1] - self.time_s[-2]
            for turn in count(1):
                yield from ((turn * period + time_s, rate) for time_s, rate in steps)


class TraceConfig(Config):
    """Rates over time for the access links of clients.

    ``file`` (relative to the working directory) is a CSV with the header ``time_s,rate``; times
    ascend from 0, a rate is a whole number of bit/s or a text with unit.  ``after`` its last
    line the rates ``repeat`` from the start (the last lasts as long as the one before it), or
    the last one is ``hold``.  The rates of the scenario are what formulas see.
    """

    file: Path
    nodes: Literal["all"] | tuple[int, ...] = "all"
    link: Literal["uplink", "downlink", "both"] = "both"
    after: Literal["repeat", "hold"] = "repeat"

    def steps(self) -> Steps:
        """What the file says; raises `StepsError`."""
        return read_steps(self.file, self.after == "repeat")

    def clients(self, nodes: int) -> tuple[int, ...]:
        """The clients concerned, of ``nodes``."""
        return tuple(range(nodes)) if self.nodes == "all" else self.nodes

    def links(self, nodes: int) -> set[tuple[int, str]]:
        """Client and direction of each link concerned."""
        ways = ("uplink", "downlink") if self.link == "both" else (self.link,)
        return {(client, way) for client in self.clients(nodes) for way in ways}

    def problems(self, nodes: int, half_duplex: bool) -> Iterator[Finding]:
        """What pydantic cannot see."""
        try:
            self.steps()
        except StepsError as error:
            yield from ((("file",), fault) for fault in error.faults)
        for at, client in enumerate(self.clients(nodes)):
            if not 0 <= client < nodes:
                yield ("nodes", at), f"no node {client}; nodes are 0 to {nodes - 1}"
        if half_duplex and self.link != "both":
            yield ("link",), "with half_duplex both directions share a link; write link: both"


def trace_problems(
    traces: tuple[TraceConfig, ...], nodes: int, half_duplex: bool
) -> Iterator[Finding]:
    """What is wrong with the traces of a network."""
    taken: set[tuple[int, str]] = set()
    for at, trace in enumerate(traces):
        yield from (((at, *loc), text) for loc, text in trace.problems(nodes, half_duplex))
        links = trace.links(nodes)
        if links & taken:
            client, way = min(links & taken)
            yield (at,), f"an earlier trace is for the {way} of node {client} as well"
        taken |= links


def read_steps(path: Path, repeat: bool) -> Steps:
    """The rates in a CSV file; raises `StepsError` with all that is wrong with it."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = [(reader.line_num, row) for reader in [csv.reader(file)] for row in reader]
    except OSError as error:
        raise StepsError(path, [f" cannot be read: {error.strerror}"]) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise StepsError(path, [f" is no CSV file: {error}"]) from None
    if not lines or [name.strip() for name in lines[0][1]] != _HEADER:
        raise StepsError(path, [f":1: the first line must be {','.join(_HEADER)}"])
    times, rates, faults = _columns([line for line in lines[1:] if line[1]])
    if not faults and not times:
        faults = [": there are no rates"]
    if not faults and repeat and not any(rates):
        faults = [": all rates are zero, and they repeat"]
    if faults:
        more = [f": and {len(faults) - _MOST_FAULTS} more faults"]
        raise StepsError(path, faults[:_MOST_FAULTS] + more * (len(faults) > _MOST_FAULTS))
    return Steps(tuple(times), tuple(rates), repeat)


def _columns(lines: list[tuple[int, list[str]]]) -> tuple[list[float], list[float], list[str]]:
    """Times, rates, and what is wrong with the lines."""
    times: list[float] = []
    rates: list[float] = []
    faults: list[str] = []
    for number, row in lines:
        try:
            if len(row) != len(_HEADER):
                raise ValueError(f"{len(row)} values, not a time and a rate")
            times.append(_time(row[0], times[-1] if times else None))
            rates.append(_rate(row[1].strip()))
        except ValueError as error:
            faults.append(f":{number}: {error}")
    return times, rates, faults


def _time(text: str, last: float | None) -> float:
    try:
        time_s = float(text)
    except ValueError:
        raise ValueError(f"the time must be a number of seconds, not '{text}'") from None
    if last is None and time_s != 0:
        raise ValueError(f"the first time must be 0, not {text.strip()}")
    if last is not None and not last < time_s < inf:
        raise ValueError(f"the time must be more than the last, {last:g}, not {text.strip()}")
    return time_s


def _rate(text: str) -> float:
    if re.fullmatch(r"\d{1,30}", text, re.ASCII):
        return float(int(text))
    try:
        return _RATE.validate_python(text)
    except ValidationError as error:
        detail = error.errors()[0]
        raise ValueError(str(detail.get("ctx", {}).get("error", detail["msg"]))) from None
