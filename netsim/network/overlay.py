"""Overlays: who talks to whom.  Undirected graphs by networkx, fixed or redrawn each round."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import networkx as nx
import numpy as np
from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.config import Problem
from netsim.network.topology import Int64
from netsim.scenario.config import Config

if TYPE_CHECKING:
    Graph = nx.Graph[int]
else:
    Graph = nx.Graph


class Fixed(Config):
    """An overlay that is the same in every round."""

    @property
    def redrawn(self) -> bool:
        """Whether each round has a graph of its own."""
        return False


class Complete(Fixed):
    """Everyone with everyone."""

    kind: Literal["complete"] = "complete"

    def graph(self, nodes: int, streams: Streams, round: int) -> Graph:
        graph: Graph = nx.complete_graph(nodes)
        return graph

    def problems(self, nodes: int) -> Iterator[Problem]:
        yield from ()


class Ring(Fixed):
    """Each node with the next and the one before."""

    kind: Literal["ring"] = "ring"

    def graph(self, nodes: int, streams: Streams, round: int) -> Graph:
        ring: Graph = nx.cycle_graph(nodes)
        ring.remove_edges_from(list(nx.selfloop_edges(ring)))
        return ring

    def problems(self, nodes: int) -> Iterator[Problem]:
        yield from ()


class Star(Fixed):
    """Node 0 with all others."""

    kind: Literal["star"] = "star"

    def graph(self, nodes: int, streams: Streams, round: int) -> Graph:
        graph: Graph = nx.star_graph(nodes - 1)
        return graph

    def problems(self, nodes: int) -> Iterator[Problem]:
        yield from ()


class KRegular(Fixed):
    """A circulant graph: each node with the ``degree`` nodes nearest on a ring."""

    kind: Literal["k_regular"] = "k_regular"
    degree: int = Field(ge=1)

    def graph(self, nodes: int, streams: Streams, round: int) -> Graph:
        steps = list(range(1, self.degree // 2 + 1))
        graph: Graph = nx.circulant_graph(nodes, steps + ([nodes // 2] if self.degree % 2 else []))
        return graph

    def problems(self, nodes: int) -> Iterator[Problem]:
        yield from degree_problems(self.degree, nodes)


class RandomRegular(Config):
    """A uniformly random regular graph, redrawn each round unless ``redraw`` is false."""

    kind: Literal["random_regular"] = "random_regular"
    degree: int = Field(ge=1)
    redraw: bool = True

    @property
    def redrawn(self) -> bool:
        """Whether each round has a graph of its own."""
        return self.redraw

    def graph(self, nodes: int, streams: Streams, round: int) -> Graph:
        return random_regular(self.degree, nodes, streams, round if self.redraw else 0)

    def problems(self, nodes: int) -> Iterator[Problem]:
        yield from degree_problems(self.degree, nodes)


OVERLAYS = (Complete, Ring, Star, KRegular, RandomRegular)
Overlay = Complete | Ring | Star | KRegular | RandomRegular


def random_regular(degree: int, nodes: int, streams: Streams, round: int) -> Graph:
    """A random ``degree``-regular graph of ``nodes``, keyed by (seed, degree, nodes, round)."""
    seed = streams.integer("overlay", degree, nodes, round) % 2**32
    graph: Graph = nx.random_regular_graph(degree, nodes, seed=seed)
    return graph


def usual_degree(degree: int | None, nodes: int) -> int:
    """``degree`` if given, else 4 or as many as there are others."""
    return min(4, nodes - 1) if degree is None else degree


def degree_problems(degree: int, nodes: int, what: str = "nodes") -> Iterator[Problem]:
    """Why no ``degree``-regular graph of ``nodes`` exists, if none does."""
    if degree >= nodes:
        yield ("degree",), f"{degree} is not below the number of {what}, {nodes}"
    elif degree * nodes % 2:
        yield (
            ("degree",),
            f"{degree} × {nodes} {what} is odd, so no such graph exists; write {degree + 1}",
        )


def neighbours(graph: Graph) -> list[Int64]:
    """For each node its neighbours, ascending."""
    return [np.array(sorted(graph[node]), dtype=np.int64) for node in range(len(graph))]
