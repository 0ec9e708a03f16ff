"""Eq. 53 falls with A for ever; latency and slow start do not."""

from typing import Any

from analysis.findings.settings import equal, setting
from analysis.plots import Panel, Point
from netsim.studies.validate.timed import Timed, time_round

CLIENTS, PARAMETERS, RATE = 50, 62_000, "160 Mbit/s"
"""ERIS's MNIST: 248 KB at 20 MB/s each way."""
LATENCIES_MS = (0, 5, 50, 200)
COUNTS = (1, 2, 3, 5, 7, 10, 14, 18, 25, 35, 50)
TRANSPORTS: dict[str, dict[str, Any]] = {
    "latency alone": {"kind": "fluid"},
    "TCP, open connections": {"kind": "tcp", "handshake": False},
}


def panels() -> list[Panel]:
    """Time against A; lines are Eq. 53 and one latency for each of the two phases."""
    return [
        Panel(
            f"50 clients, 248 KB, 20 MB/s; {name}\nline: Eq. 53 and two latencies",
            "aggregators A",
            True,
            _curves(transport),
        )
        for name, transport in TRANSPORTS.items()
    ]


def _curves(transport: dict[str, Any]) -> dict[str, list[Point]]:
    return {
        f"latency {latency_ms} ms": [
            Point(count, eq53_s(timed) + 2e-3 * latency_ms, timed.time_s)
            for count, timed in ((each, play(each, latency_ms, transport)) for each in COUNTS)
        ]
        for latency_ms in LATENCIES_MS
    }


def play(aggregators: int, latency_ms: int, transport: dict[str, Any]) -> Timed:
    """A round of ERIS."""
    network = equal(CLIENTS, RATE, latency=f"{latency_ms} ms", transport=transport)
    made = setting({"kind": "eris", "aggregators": aggregators}, network, PARAMETERS)
    return time_round(made, "round", "max_min")


def eq53_s(timed: Timed) -> float:
    """As printed."""
    assert timed.formula is not None
    return timed.formula[1]
