"""Eqs. 52 and 53 add what each phase takes; without a barrier the phases overlap."""

from analysis import curves
from analysis.findings.settings import setting, unequal
from analysis.plots import NETWORKS, Panel, spread
from netsim.studies.records import optimum_s
from netsim.studies.validate.timed import time_round

COUNTS = (1, 2, 5, 10, 15, 20, 25, 30, 40, 50)
CLIENTS, FEW, DRAWN = 10, (2, 5, 10), 100


def panels() -> list[Panel]:
    """One network of 50 clients over A, and how often how much of 10 clients."""
    free = {
        f"without a barrier, {few} of {CLIENTS} aggregate": spread(
            [without_barrier(few, seed) for seed in range(DRAWN)]
        )
        for few in FEW
    }
    return [
        Panel(
            "50 clients, 320 Mbit, 10 to 100 Mbit/s",
            "aggregators A",
            True,
            curves.unequal(COUNTS),
        ),
        Panel(
            f"{DRAWN} networks of 10 to 100 Mbit/s",
            NETWORKS,
            False,
            free,
            "time ÷ sum of phase bounds",
            log_y=False,
        ),
    ]


def without_barrier(aggregators: int, seed: int) -> float:
    """A round of ERIS without a barrier, in parts of the sum of its phases' bounds."""
    run = {"kind": "eris", "aggregators": aggregators}
    timed = time_round(setting(run, unequal(CLIENTS), seed=seed), "round", "max_min")
    bound_s = optimum_s(timed.transfers, timed.topology)
    assert bound_s is not None
    return timed.time_s / bound_s
