"""Routers at random places in the unit square."""

from abc import abstractmethod
from math import dist
from typing import TYPE_CHECKING, Any, Literal

import networkx as nx
from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.underlay.backbone import Backbone, Edge, UnderlayError
from netsim.network.underlay.base import EqualLinks
from netsim.scenario.units import Duration, duration

if TYPE_CHECKING:
    Graph = nx.Graph[int]
else:
    Graph = nx.Graph

_ATTEMPTS = 20


class Planar(EqualLinks):
    """Routers ``router 0``, ``router 1``, … with links by distance.

    A link has ``latency``, and ``latency_across`` times its length as well (the side of the
    square is 1 long).  Graphs that are not connected are drawn again, up to 20 times.
    """

    routers: int = Field(ge=1)
    latency_across: Duration = duration("0 s")

    @abstractmethod
    def graph(self, seed: int) -> Graph:
        """A graph whose nodes have a place ``pos``."""

    def backbone(self, streams: Streams) -> Backbone:
        for attempt in range(_ATTEMPTS):
            graph = self.graph(streams.integer("underlay", attempt) % 2**32)
            if nx.is_connected(graph):
                return self._of(graph)
        raise UnderlayError(
            f"the graph is not connected in any of {_ATTEMPTS} draws; {self.advice()}"
        )

    @abstractmethod
    def advice(self) -> str:
        """What to change when graphs fall apart."""

    def _of(self, graph: Graph) -> Backbone:
        place: dict[int, Any] = {node: graph.nodes[node]["pos"] for node in graph}
        edges = (
            Edge(a, b, self.rate, self.latency + self.latency_across * dist(place[a], place[b]))
            for a, b in sorted(tuple(sorted(edge)) for edge in graph.edges())
        )
        return Backbone.of([f"router {i}" for i in range(self.routers)], edges)


class Waxman(Planar):
    """Routers at distance d are linked with probability beta · exp(−d / (alpha · L)).

    L is the largest distance between two of them (Waxman 1988).
    """

    kind: Literal["waxman"] = "waxman"
    alpha: float = Field(default=0.4, gt=0)
    beta: float = Field(default=0.4, gt=0, le=1)

    def graph(self, seed: int) -> Graph:
        graph: Graph = nx.waxman_graph(self.routers, beta=self.beta, alpha=self.alpha, seed=seed)
        return graph

    def advice(self) -> str:
        return "raise alpha or beta, or take more routers"


class Geometric(Planar):
    """Routers at most ``radius`` apart are linked (Gilbert 1961)."""

    kind: Literal["geometric"] = "geometric"
    radius: float = Field(gt=0)

    def graph(self, seed: int) -> Graph:
        graph: Graph = nx.random_geometric_graph(self.routers, self.radius, seed=seed)
        return graph

    def advice(self) -> str:
        return "raise radius, or take more routers"
