"""Regular graphs: all there are, or drawn as the simulator draws them."""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import neighbours, random_regular

Adjacency = npt.NDArray[np.int8]
Graphs = Callable[..., npt.NDArray[np.int8]]


def _completed(adjacency_NN: Adjacency, degree: int) -> Iterator[Adjacency]:
    """All regular graphs that add edges to those there are, at the first node that lacks some."""
    lacking = degree - adjacency_NN.sum(0)
    short = np.flatnonzero(lacking)
    if len(short) == 0:
        yield adjacency_NN.copy()
        return
    node = short[0]
    for chosen in combinations(short[1:], int(lacking[node])):
        others = list(chosen)
        adjacency_NN[node, others] = adjacency_NN[others, node] = 1
        yield from _completed(adjacency_NN, degree)
        adjacency_NN[node, others] = adjacency_NN[others, node] = 0


@pytest.fixture
def every_graph() -> Graphs:
    """All ``degree``-regular graphs on ``total`` labelled nodes, Int8[G, N, N]."""

    def make(total: int, degree: int) -> npt.NDArray[np.int8]:
        return np.array(list(_completed(np.zeros((total, total), np.int8), degree)))

    return make


@pytest.fixture
def drawn_graphs() -> Graphs:
    """``count`` random regular graphs, Int8[G, N, N], as protocols draw them."""

    def make(total: int, degree: int, count: int) -> npt.NDArray[np.int8]:
        graphs = np.zeros((count, total, total), np.int8)
        for at in range(count):
            graph = random_regular(degree, total, Streams(1), at)
            for node, others in enumerate(neighbours(graph)):
                graphs[at, node, others] = 1
        return graphs

    return make
