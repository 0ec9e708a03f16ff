"""What an aggregator has to send back when every client draws a mask of its own."""

from functools import cache

import numpy as np

from analysis.findings.settings import equal, setting
from analysis.plots import Panel, Point
from netsim.kernel import run
from netsim.network.topology import Int64
from netsim.studies.play import Player
from netsim.studies.validate.drawn import DrawnTask
from netsim.wire.indexed import IndexedSparse

PARAMETERS = 20_000
CLIENTS = (1, 2, 3, 5, 7, 10, 20, 30, 50, 100)
KEPT = (0.01, 0.05, 0.1, 0.3)


def panels() -> list[Panel]:
    """How many coordinates somebody sent, and what a message with those alone would take."""
    share = {
        f"p = {kept:g}": [
            Point(k, 1 - (1 - kept) ** k, len(support(k, kept)) / PARAMETERS) for k in CLIENTS
        ]
        for kept in KEPT
    }
    size = {
        f"p = {kept:g}": [Point(k, kept, encoded(support(k, kept))) for k in CLIENTS]
        for kept in KEPT
    }
    title, more = f"{PARAMETERS} parameters, independent masks", "clients K"
    return [
        Panel(
            f"{title}\nline: 1 − (1 − p)^K",
            more,
            True,
            share,
            "share of coordinates that any client sent",
        ),
        Panel(
            f"{title}\nline: p, as counted in the first version",
            more,
            True,
            size,
            "broadcast with positions ÷ dense",
        ),
    ]


@cache
def support(clients: int, kept: float, masks: str = "independent") -> Int64:
    """Where the model moved in ERIS's first round: what any client sent to an aggregator.

    All clients have the same update, so no coordinate cancels out.
    """
    compression = {"kind": "rand_k", "keep": kept, "masks": masks}
    protocol = {"kind": "eris", "compression": compression}
    made = setting(protocol, equal(clients), PARAMETERS)
    task = DrawnTask(PARAMETERS, clients)
    player = Player(made.scenario("round", "max_min"), made.config, task, lambda _: None)
    run(player.play())
    player.network.close()
    return np.flatnonzero(player.models[0].value())


def encoded(indices: Int64) -> float:
    """Values and positions in parts of the dense vector."""
    return IndexedSparse().sizes_at(PARAMETERS, indices).wire_bits / (32 * PARAMETERS)
