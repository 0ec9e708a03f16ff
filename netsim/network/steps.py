"""Rates that change over time, from a CSV file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from netsim.scenario.config import Config
from netsim.scenario.csv_file import CsvError, read_csv, seconds
from netsim.scenario.errors import Finding
from netsim.scenario.units import Rate

_RATE: TypeAdapter[float] = TypeAdapter(Rate)


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
            for turn in count(1):
                yield from ((turn * self.period_s + time_s, rate) for time_s, rate in steps)

    @property
    def period_s(self) -> float:
        """How long a turn of several rates takes that repeat."""
        return 2 * self.time_s[-1] - self.time_s[-2]


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
        """What the file says; raises `CsvError`."""
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
        except CsvError as error:
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
    """The rates in a CSV file; raises `CsvError` with all that is wrong with it."""
    steps = read_csv(path, ("time_s", "rate"), _step)
    if not steps:
        raise CsvError(path, [": there are no rates"])
    faults = list(_order_faults([(line, time_s) for line, (time_s, _) in steps]))
    if not faults and repeat and not any(rate_bps for _, (_, rate_bps) in steps):
        faults = [": all rates are zero, and they repeat"]
    if faults:
        raise CsvError(path, faults)
    times, rates = zip(*(step for _, step in steps), strict=True)
    return Steps(times, rates, repeat)


def _step(cells: list[str]) -> tuple[float, float]:
    return seconds("time_s", cells[0]), _rate(cells[1])


def _order_faults(times: list[tuple[int, float]]) -> Iterator[str]:
    """Where the times of the lines do not ascend from 0."""
    line, first_s = times[0]
    if first_s != 0:
        yield f":{line}: the first time must be 0, not {first_s:g}"
    for (_, one_s), (line, other_s) in pairwise(times):
        if other_s <= one_s:
            yield f":{line}: the time must be more than the last, {one_s:g}, not {other_s:g}"


def _rate(text: str) -> float:
    if re.fullmatch(r"\d{1,30}", text, re.ASCII):
        return float(int(text))
    try:
        return _RATE.validate_python(text)
    except ValidationError as error:
        detail = error.errors()[0]
        raise ValueError(str(detail.get("ctx", {}).get("error", detail["msg"]))) from None
