"""What every kind of underlay has."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Literal

from netsim.kernel.streams import Streams
from netsim.network.underlay.backbone import Backbone
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.units import Duration, Rate, duration

Attach = Literal["round_robin", "random"]


class Underlay(Config):
    """Routers between the access links.

    ``attach`` says on which of the routers that take nodes each node sits: ``round_robin`` (in
    order of both, servers after the clients) or ``random`` (uniform, by the seed).
    """

    kind: str
    attach: Attach = "round_robin"

    @abstractmethod
    def backbone(self, streams: Streams) -> Backbone:
        """The routers and links; raises `UnderlayError`."""

    def problems(self, nodes: int) -> Iterator[Finding]:
        """What can be said without drawing anything."""
        yield from ()


class Uniform(Underlay):
    """All links between routers have the same ``rate`` in each direction, and ``latency``."""

    rate: Rate
    latency: Duration = duration("0 s")
