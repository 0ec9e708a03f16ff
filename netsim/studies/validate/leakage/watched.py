"""Runs of a protocol, and how many coordinates of each client observers received in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from netsim.kernel import run
from netsim.learning.volume import VolumeTask
from netsim.network.topology import Float64, Int64
from netsim.privacy.observed import Observed
from netsim.studies.play import Player, owners
from netsim.studies.scenario import Scenario
from netsim.studies.validate.drawn import DrawnTask

SEED = 0
_NETWORK = {"uplink": "20 Mbit/s", "downlink": "20 Mbit/s"}


@dataclass(frozen=True)
class Place:
    """K ``clients``, a model of n ``parameters``, and T ``rounds``; more of the scenario in
    ``network`` and ``failures``."""

    clients: int
    parameters: int
    rounds: int
    network: dict[str, Any] | None = None
    failures: dict[str, Any] | None = None


@dataclass(frozen=True)
class Measured:
    """A figure that was measured: its ``mean``, the standard ``error`` of that over the rounds,
    0 where they are all the same, and the ``most`` in a round at a client, where it is a count."""

    mean: float
    error: float
    most: int | None = None

    @classmethod
    def of(cls, by_round_R: Float64, most: int | None = None) -> "Measured":
        """From a figure a round."""
        spread = float(np.ptp(by_round_R))
        mean = float(by_round_R.mean())
        if spread <= 1e-9 * abs(mean):
            return cls(mean, 0.0, most)
        return cls(mean, float(by_round_R.std(ddof=1)) / len(by_round_R) ** 0.5, most)

    def times(self, factor: float) -> "Measured":
        """In another unit."""
        return Measured(self.mean * factor, self.error * factor)


@dataclass(frozen=True, eq=False)
class Watched:
    """A run at a ``place``: ``observed`` counts coordinates; ``sender`` is the node that sent
    each row."""

    place: Place
    observed: Observed
    sender: Int64

    def received(self, colluding: int, candidates: Sequence[int]) -> Measured:
        """Coordinates of a client that so many of the candidates together got in a round.

        The mean over rounds, clients and, for each client, the coalitions that it is not in.
        """
        sums_RK = np.zeros((self.observed.rounds, self.place.clients), np.int64)
        coalitions_K, most = np.zeros(self.place.clients, np.int64), 0
        for coalition in combinations(candidates, colluding):
            by_RK = self.observed.by(coalition)
            sums_RK += by_RK
            coalitions_K += ~np.isin(np.arange(self.place.clients), coalition)
            most = max(most, int(by_RK.max(initial=0)))
        there = coalitions_K > 0
        return Measured.of((sums_RK[:, there] / coalitions_K[there]).mean(axis=1), most)

    def received_by(self, coalition: Sequence[int]) -> Measured:
        """The same for one coalition."""
        return self.received(len(coalition), coalition)


def watch(config: dict[str, Any], place: Place) -> Watched:
    """Play a protocol, without computing and with values only where sizes depend on them."""
    scenario = Scenario.model_validate(
        {
            "name": "leakage",
            "seed": SEED,
            "rounds": place.rounds,
            "volume": {"parameters": place.parameters},
            "network": {"nodes": place.clients, **_NETWORK, **(place.network or {})},
            "failures": place.failures or {},
            "runs": [config],
        }
    )
    made, clients = scenario.runs[0], place.clients
    kind = DrawnTask if made.needs_values() else VolumeTask
    player = Player(scenario, made, kind(place.parameters, clients), lambda _: None)
    run(player.play())
    player.network.close()
    table, protocol = player.network.table, player.protocol
    seen = Observed.of(table, protocol.messages, owners(clients, made.guests(clients)), clients)
    receiver, sender = (table.column(name)[seen.message] for name in ("receiver", "sender"))
    counts = protocol.coordinates(seen.amounts, receiver)
    assert counts is not None, "a protocol that says what its messages carry"
    return Watched(place, seen.counting(counts), sender)
