"""Eq. 55 counts one model of upload where Shatter's virtual nodes send r."""

from analysis.findings.settings import setting
from analysis.plots import TIME, Panel, Point
from netsim.studies.validate.timed import time_round
from netsim.theory.distribution import shatter_access_s

CLIENTS, DOWNLINK_MBPS, PARAMETERS = 50, 160.0, 1_650_000
"""20 MB/s down and 6.6 MB, as in ERIS's tables."""
RATIOS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
DEGREES = (2, 4, 8)
RATIO = "downlink ÷ uplink"


def panels() -> list[Panel]:
    """Time at r = 4, and how many times Eq. 55 is too small; k = 1."""
    rounds = {degree: [_round(ratio, degree) for ratio in RATIOS] for degree in DEGREES}
    at_four = list(zip(RATIOS, rounds[4], strict=True))
    times = {
        "Eq. 55, r=4": [Point(x, printed_s, None) for x, (printed_s, _, _) in at_four],
        "r · b / least rate, r=4": [
            Point(x, access_s, run_s) for x, (_, access_s, run_s) in at_four
        ],
    }
    short = {
        f"÷ Eq. 55, r={degree}: line min(r, ratio)": [
            Point(x, min(x, degree), run_s / printed_s)
            for x, (printed_s, _, run_s) in zip(RATIOS, each, strict=True)
        ]
        for degree, each in rounds.items()
    }
    title = f"{CLIENTS} nodes, 6.6 MB, downlinks 20 MB/s"
    return [
        Panel(title, RATIO, False, times, TIME, log_y=False),
        Panel(title, RATIO, False, short, "time ÷ time by Eq. 55", log_y=False),
    ]


def _round(ratio: float, degree: int) -> tuple[float, float, float]:
    """By Eq. 55 as printed, corrected, and simulated, s."""
    network = {
        "nodes": CLIENTS,
        "uplink": f"{DOWNLINK_MBPS / ratio:.9f} Mbit/s",
        "downlink": f"{DOWNLINK_MBPS} Mbit/s",
    }
    run = {"kind": "shatter", "virtual_nodes": 1, "degree": degree}
    timed = time_round(setting(run, network, PARAMETERS), "phase", "max_min")
    assert timed.formula is not None
    up_bps, down_bps = timed.topology.uplink_bps_H, timed.topology.downlink_bps_H
    access_s = shatter_access_s(32 * PARAMETERS, degree, up_bps, down_bps)
    return timed.formula[1], access_s, timed.time_s
