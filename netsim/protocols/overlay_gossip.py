"""Gossip on an overlay that the scenario chooses, with doubly stochastic weights."""

from collections.abc import Iterator
from typing import Annotated, Any

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.network.overlay import OVERLAYS, Overlay, Ring
from netsim.protocols.base import Context, ProtocolConfig
from netsim.protocols.gossip import Gossip, Links
from netsim.protocols.mixing import metropolis
from netsim.protocols.vector import Vector
from netsim.scenario.kinds import one_of


class OverlayConfig(ProtocolConfig):
    """``overlay``: who talks to whom."""

    overlay: Annotated[Overlay, one_of(*OVERLAYS)] = Ring()

    def problems(self, clients: int) -> Iterator[Problem]:
        for loc, message in self.overlay.problems(clients):
            yield ("overlay", *loc), message


class OverlayGossip(Gossip):
    """Neighbours on ``overlay`` average with Metropolis–Hastings weights.

    These are 1/(1 + max degree of the two) and doubly stochastic; on a regular overlay all are
    1/(r + 1).  The weight of a model that fails goes to the node's own.
    """

    def __init__(self, config: Any, context: Context) -> None:
        super().__init__(config, context)
        self._overlay: Overlay = self.overlay()

    def overlay(self) -> Overlay:
        """Who talks to whom."""
        overlay: Overlay = self.config.overlay
        return overlay

    def links(self, exchange: int) -> Links:
        graph = self._overlay.graph(len(self.clients), self.context.streams, exchange)
        return Links.both_ways(graph)

    def links_of(self, exchange: int) -> Links:
        return super().links_of(exchange if self._overlay.redrawn else 0)

    def mix(self, client: int, own: Vector, arrivals: Arrivals, exchange: int) -> Vector:
        degrees = [len(others) for others in self.links_of(exchange).senders]
        return metropolis(client, own, self.received(own, arrivals), degrees)

    def received(self, own: Vector, arrivals: Arrivals) -> dict[int, Vector]:
        """The models that arrived, by their sender."""
        return {each.sender: each.payload.value.value() for each in arrivals}
