"""The ``network:`` section of a scenario."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from netsim.scenario.config import Config
from netsim.scenario.units import Duration, Rate

Problem = tuple[tuple[str | int, ...], str]


class Access(Config):
    """The access link of one node; what is left out is that of the other nodes."""

    uplink: Rate | None = None
    downlink: Rate | None = None
    latency: Duration | None = None


class NetworkConfig(Config):
    """Clients, their access links, and how transfers share them.

    ``latency`` is the one-way delay between two nodes that have it: each of the two access
    links on a path carries half of its node's latency.  A list gives one value a client.
    ``server`` is, where a protocol has one and the scenario does not say, like the median
    client.  ``count`` says which size of a payload the links carry: ``wire`` (all that is
    encoded) or ``payload`` (values only, as the papers count).
    """

    nodes: int = Field(ge=1)
    uplink: Rate | tuple[Rate, ...]
    downlink: Rate | tuple[Rate, ...]
    latency: Duration | tuple[Duration, ...] = 0.0
    overrides: dict[int, Access] = Field(default_factory=dict)
    server: Access = Access()
    half_duplex: bool = False
    sharing: Literal["max_min", "fifo", "optimal"] = "max_min"
    count: Literal["wire", "payload"] = "wire"

    def problems(self) -> Iterator[Problem]:
        """What pydantic cannot see: lists and overrides that do not fit ``nodes``."""
        for name in ("uplink", "downlink", "latency"):
            value = getattr(self, name)
            if isinstance(value, Sequence) and len(value) != self.nodes:
                yield (name,), f"{len(value)} values for {self.nodes} nodes; write one a node"
        for node in self.overrides:
            if not 0 <= node < self.nodes:
                yield ("overrides", node), f"no node {node}; nodes are 0 to {self.nodes - 1}"
