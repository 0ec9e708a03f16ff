"""Clusters around a core."""

from typing import Literal

from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.underlay.backbone import Backbone, Edge
from netsim.network.underlay.base import EqualLinks


class StarOfClusters(EqualLinks):
    """Nodes sit on cluster routers, each with a trunk of ``rate`` and ``latency`` to the core.

    Routers are called ``core``, ``cluster 0``, ``cluster 1``, …
    """

    kind: Literal["star_of_clusters"] = "star_of_clusters"
    clusters: int = Field(ge=1)

    def backbone(self, streams: Streams) -> Backbone:
        clusters = range(1, self.clusters + 1)
        names = ["core", *(f"cluster {each - 1}" for each in clusters)]
        trunks = (Edge(each, 0, self.rate, self.latency) for each in clusters)
        return Backbone.of(names, trunks, clusters)
