"""The fat tree of data centres."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.underlay.backbone import Backbone, Edge
from netsim.network.underlay.base import EqualLinks


class FatTree(EqualLinks):
    """A k-ary fat tree of switches with ``k`` ports (Al-Fares, Loukissas and Vahdat 2008).

    k pods of k/2 ``edge`` and k/2 ``aggregation`` switches, and (k/2)² ``core`` switches;
    aggregation switch i of a pod is linked to cores i·k/2 … i·k/2 + k/2 − 1.  Nodes sit on the
    edge switches; up to k³/4 of them find a port each, more share.  Switches are called
    ``core 0``, ``aggregation 0.1`` and ``edge 0.1`` (pod, place in it).
    """

    kind: Literal["fat_tree"] = "fat_tree"
    k: int = Field(ge=2, le=128, multiple_of=2)

    def backbone(self, streams: Streams) -> Backbone:
        half, pods = self.k // 2, range(self.k)
        places = [(pod, i) for pod in pods for i in range(half)]
        names = [f"core {i}" for i in range(half * half)]
        names += [f"aggregation {pod}.{i}" for pod, i in places]
        names += [f"edge {pod}.{i}" for pod, i in places]
        edges = range(len(names) - len(places), len(names))
        return Backbone.of(names, self._edges(), edges)

    def _edges(self) -> Iterator[Edge]:
        half = self.k // 2
        for pod in range(self.k):
            aggregation = half * half + pod * half
            edge = aggregation + self.k * half
            for i in range(half):
                for j in range(half):
                    yield Edge(aggregation + i, i * half + j, self.rate, self.latency)
                    yield Edge(edge + i, aggregation + j, self.rate, self.latency)
