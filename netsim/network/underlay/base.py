"""What every kind of underlay has."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Literal

import numpy as np

from netsim.kernel.streams import Streams
from netsim.network.sharing.base import Int64
from netsim.network.underlay.backbone import Backbone
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.units import Duration, Rate, duration


class Underlay(Config):
    """Routers between the access links."""

    kind: str

    @abstractmethod
    def backbone(self, streams: Streams) -> Backbone:
        """The routers and links; raises `UnderlayError`."""

    def router_H(self, doors: Int64, hosts: int, streams: Streams) -> Int64:
        """On which of the routers ``doors`` each host sits unless the scenario says."""
        return doors[np.arange(hosts) % len(doors)]

    def problems(self, nodes: int) -> Iterator[Finding]:
        """What can be said without drawing anything."""
        yield from ()


class Routed(Underlay):
    """An underlay with a choice of routers.

    ``attach`` says on which of those that take nodes each node sits: ``round_robin`` (in order
    of both, servers after the clients) or ``random`` (uniform, by the seed).
    """

    attach: Literal["round_robin", "random"] = "round_robin"

    def router_H(self, doors: Int64, hosts: int, streams: Streams) -> Int64:
        if self.attach == "round_robin":
            return super().router_H(doors, hosts, streams)
        place = streams.rng("underlay attachment").random(hosts) * len(doors)
        return doors[place.astype(np.int64)]


class EqualLinks(Routed):
    """All links between routers have the same ``rate`` in each direction, and ``latency``."""

    rate: Rate
    latency: Duration = duration("0 s")
