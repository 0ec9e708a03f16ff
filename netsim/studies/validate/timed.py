"""One round of a protocol, timed by the protocol's own code."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from netsim.kernel import run
from netsim.learning.base import Task
from netsim.learning.volume import VolumeTask
from netsim.network.config import NetworkConfig
from netsim.network.topology import Topology
from netsim.protocols.base import ProtocolConfig
from netsim.results.measure import distribution_times
from netsim.results.records import Transfers
from netsim.studies.play import Player
from netsim.studies.records import transfers_of
from netsim.studies.scenario import Scenario, Volume
from netsim.studies.validate.drawn import DrawnTask

Sharing = Literal["max_min", "fifo", "optimal"]
Barrier = Literal["phase", "round"]


@dataclass(frozen=True)
class Setting:
    """A protocol on a network, with ``parameters`` of a model that is only a size.

    The network has the rates it starts with, and carries what the papers count.
    """

    config: ProtocolConfig
    network: NetworkConfig
    parameters: int
    seed: int = 0

    @cached_property
    def task(self) -> Task:
        """Sizes alone, or drawn updates where sizes depend on them."""
        clients = self.network.nodes
        if self.config.needs_values():
            return DrawnTask(self.parameters, clients)
        return VolumeTask(self.parameters, clients)

    def scenario(self, barrier: Barrier, sharing: Sharing) -> Scenario:
        """One round without computing; two where a round differs from the first."""
        plain = {"sharing": sharing, "count": "payload", "traces": ()}
        return Scenario(
            name="validate",
            seed=self.seed,
            rounds=2 if self.config.needs_rounds() else 1,
            volume=Volume(parameters=self.parameters),
            network=self.network.model_copy(update=plain),
            barrier=barrier,
            runs=(self.config,),
        )


@dataclass(frozen=True, eq=False)
class Timed:
    """The last round as it went: its distribution time, its messages, and the closed form."""

    time_s: float
    transfers: Transfers
    topology: Topology
    formula: tuple[str, float] | None


def time_round(setting: Setting, barrier: Barrier, sharing: Sharing) -> Timed:
    """Play the setting.  Raises ``Deadlock`` where a needed link has rate zero."""
    player = Player(
        setting.scenario(barrier, sharing), setting.config, setting.task, lambda _: None
    )
    run(player.play())
    transfers = transfers_of(player.network, player.protocol.messages)
    last = transfers.select(transfers.round == transfers.round.max(initial=0))
    player.network.close()
    times = [time_s for time_s in distribution_times(last).values() if time_s is not None]
    return Timed(float(np.sum(times)), last, player.topology, player.protocol.formula())
