"""Eq. 53 next to the optimum with a barrier, which it exceeds."""

import numpy as np

from analysis.findings.settings import equal, setting
from analysis.plots import NETWORKS, Panel, Point, spread
from netsim.kernel.streams import Streams
from netsim.studies.records import optimum_s
from netsim.studies.validate.timed import time_round
from netsim.theory.distribution import eq53_eris_s, eris_optimum_s

COUNTS = (2, 3, 4, 5, 7, 10, 15, 20)
CLIENTS, DRAWN = (2, 5, 10, 50), 1000
RATIO = "Eq. 53 ÷ optimum with a barrier"


def panels() -> list[Panel]:
    """Equal links, and links that all differ."""
    own = {"all aggregate: line K/(K − 1)": [Point(k, k / (k - 1), equal_links(k)) for k in COUNTS]}
    drawn = {
        f"K={clients}, half aggregate": spread(
            [unequal_links(clients, seed) for seed in range(DRAWN)]
        )
        for clients in CLIENTS
    }
    return [
        Panel("equal links", "clients K", True, own, RATIO, log_y=False),
        Panel(f"{DRAWN} networks of 10 to 100 Mbit/s", NETWORKS, False, drawn, RATIO, log_y=False),
    ]


def equal_links(clients: int) -> float:
    """Of a simulated round in which every client aggregates; the model is cut evenly."""
    made = setting({"kind": "eris"}, equal(clients), parameters=1000 * clients)
    timed = time_round(made, "phase", "optimal")
    assert timed.formula is not None
    assert timed.time_s == optimum_s(timed.transfers, timed.topology)
    return timed.formula[1] / timed.time_s


def unequal_links(clients: int, seed: int) -> float:
    """Of drawn rates, by the formulas."""
    rng = Streams(seed).rng("rates for eq53", clients)
    up_bps, down_bps = rng.uniform(10e6, 100e6, (2, clients))
    owners = np.arange(clients // 2)
    shards = np.full(len(owners), 1e6)
    printed_s = eq53_eris_s(shards.sum(), shards.sum(), up_bps, down_bps, owners)
    return printed_s / eris_optimum_s(shards, shards, up_bps, down_bps, owners)
