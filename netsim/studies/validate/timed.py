"""One round of a protocol, timed by the protocol's own code."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

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

    The network has the rates it starts with, and carries what the papers count.  Of a protocol
    whose rounds differ the mean over the last ``rounds`` is taken.
    """

    config: ProtocolConfig
    network: NetworkConfig
    parameters: int
    seed: int = 0
    rounds: int = 1

    @cached_property
    def task(self) -> Task:
        """Sizes alone, or drawn updates where sizes depend on them."""
        clients = self.network.nodes
        if self.config.needs_values():
            return DrawnTask(self.parameters, clients)
        return VolumeTask(self.parameters, clients)

    def scenario(self, barrier: Barrier, sharing: Sharing) -> Scenario:
        """Rounds without computing, one more where the first differs from all others."""
        plain = {"sharing": sharing, "count": "payload", "traces": ()}
        return Scenario(
            name="validate",
            seed=self.seed,
            rounds=self.rounds + self.config.needs_rounds(),
            volume=Volume(parameters=self.parameters),
            network=self.network.model_copy(update=plain),
            barrier=barrier,
            runs=(self.config,),
        )


@dataclass(frozen=True, eq=False)
class Timed:
    """The last ``rounds`` as they went: their mean distribution time, s, their messages, and
    the closed form of one."""

    time_s: float
    rounds: int
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
    player.network.close()
    last = transfers.select(transfers.round >= len(player.rounds) - setting.rounds)
    times = distribution_times(last).values()
    total_s = sum(time_s for time_s in times if time_s is not None)
    topology, formula = player.topology, player.protocol.formula()
    return Timed(total_s / setting.rounds, setting.rounds, last, topology, formula)
