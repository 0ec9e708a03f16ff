"""Graphs with a few hubs."""

from collections.abc import Iterator
from typing import Literal

import networkx as nx
from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.underlay.backbone import Backbone, Edge
from netsim.network.underlay.base import EqualLinks
from netsim.scenario.errors import Finding


class ScaleFree(EqualLinks):
    """Routers come one by one and link to ``links`` others, popular ones likelier.

    Barabási and Albert 1999.  Routers are called ``router 0``, ``router 1``, …
    """

    kind: Literal["scale_free"] = "scale_free"
    routers: int = Field(ge=2)
    links: int = Field(ge=1)

    def backbone(self, streams: Streams) -> Backbone:
        seed = streams.integer("underlay") % 2**32
        graph = nx.barabasi_albert_graph(self.routers, self.links, seed=seed)
        pairs = sorted(tuple(sorted(edge)) for edge in graph.edges())
        edges = (Edge(a, b, self.rate, self.latency) for a, b in pairs)
        return Backbone.of([f"router {i}" for i in range(self.routers)], edges)

    def problems(self, nodes: int) -> Iterator[Finding]:
        if self.links >= self.routers:
            yield ("links",), f"must be less than routers, {self.routers}"
