"""Max-min fair rates against the best there are, where messages differ in size."""

from analysis.findings.settings import setting, unequal
from analysis.plots import NETWORKS, Panel, spread
from netsim.studies.records import optimum_s
from netsim.studies.validate.timed import time_round

CLIENTS, DRAWN = (4, 10, 30), 100


def panels() -> list[Panel]:
    """ERIS with shards of the sizes that suit the links, and in proportion to their rates."""
    prices = {
        f"{shards} shards, K={clients}": spread(
            [price_percent(clients, shards, seed) for seed in range(DRAWN)]
        )
        for shards, those in (("optimal", CLIENTS), ("proportional", CLIENTS[:2]))
        for clients in those
    }
    return [
        Panel(
            f"ERIS, A=K, {DRAWN} networks of 10 to 100 Mbit/s",
            NETWORKS,
            False,
            prices,
            "max-min above the optimum, %",
            log_y=False,
        )
    ]


def price_percent(clients: int, shards: str, seed: int) -> float:
    """How much longer a round with a barrier takes than it has to."""
    made = setting({"kind": "eris", "shards": shards}, unequal(clients), seed=seed)
    timed = time_round(made, "phase", "max_min")
    best_s = optimum_s(timed.transfers, timed.topology)
    assert best_s is not None
    return 100 * max(0.0, timed.time_s / best_s - 1)
