"""Inputs on which the sharing engine is measured.

Node i has uplink 2i and downlink 2i + 1; its rates are between 10 and 100 Mbit/s.  No
latency: a transfer starts when its first bit leaves.
"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.network.sharing.base import Float64, Int64
from netsim.network.sharing.play import Case

SEED = 1
LEAST_BPS, MOST_BPS = 10e6, 100e6
SIZE_BITS = 800_000
LARGE_BITS = 8_000_000


def access_rates(nodes: int, classes: int | None = None) -> Float64:
    """Rates of uplinks and downlinks, bit/s [2 nodes]: all different, or of few classes."""
    rng = Streams(SEED).rng("access rates", nodes)
    if classes is None:
        return rng.uniform(LEAST_BPS, MOST_BPS, 2 * nodes)
    return rng.choice(np.geomspace(LEAST_BPS, MOST_BPS, classes), 2 * nodes)


def all_to_all(nodes: int, classes: int | None = None) -> Case:
    """Every node sends the same number of bits to every other, all at once."""
    sender, receiver = np.nonzero(~np.eye(nodes, dtype=np.bool_))
    return _access(access_rates(nodes, classes), sender, receiver, _same(len(sender), SIZE_BITS))


def all_to_all_lognormal(nodes: int) -> Case:
    """All to all with log-normal sizes (sigma 0.5): nearly every transfer ends on its own."""
    sender, receiver = np.nonzero(~np.eye(nodes, dtype=np.bool_))
    rng = Streams(SEED).rng("log-normal sizes", nodes)
    bits = 8 * np.ceil(rng.lognormal(0, 0.5, len(sender)) * SIZE_BITS / 8).astype(np.int64)
    return _access(access_rates(nodes), sender, receiver, bits)


def all_to_all_staggered(nodes: int, spread_s: float = 2.0) -> Case:
    """All to all of equal sizes; each node starts at a time of its own within ``spread_s``."""
    sender, receiver = np.nonzero(~np.eye(nodes, dtype=np.bool_))
    start_s = Streams(SEED).rng("staggered starts", nodes).uniform(0, spread_s, nodes)[sender]
    bits = _same(len(sender), SIZE_BITS)
    return _access(access_rates(nodes), sender, receiver, bits, start_s)


def star(clients: int, server_bps: float) -> Case:
    """Every client, all rates different, sends as much to one server (node 0)."""
    capacity_bps = access_rates(clients + 1)
    capacity_bps[:2] = server_bps
    sender = np.arange(1, clients + 1)
    return _access(capacity_bps, sender, np.zeros_like(sender), _same(clients, LARGE_BITS))


def random_regular(nodes: int, degree: int = 10) -> Case:
    """Both ways along the edges of a random regular graph, all at once."""
    sender, receiver = _regular_pairs(nodes, degree)
    return _access(access_rates(nodes), sender, receiver, _same(len(sender), LARGE_BITS))


def poisson(nodes: int, transfers: int, load: float = 0.6) -> Case:
    """Random pairs, log-normal sizes (sigma 1) and Poisson arrivals at ``load`` of the uplinks."""
    capacity_bps = access_rates(nodes)
    rng = Streams(SEED).rng("poisson", nodes, transfers)
    sender = rng.integers(0, nodes, transfers)
    receiver = (sender + rng.integers(1, nodes, transfers)) % nodes
    bits = np.ceil(rng.lognormal(-0.5, 1.0, transfers) * LARGE_BITS).astype(np.int64)
    arrivals_per_s = load * capacity_bps[::2].sum() / LARGE_BITS
    start_s = np.cumsum(rng.exponential(1 / arrivals_per_s, transfers))
    return _access(capacity_bps, sender, receiver, bits, start_s)


def over_routers(nodes: int, routers: int = 200, degree: int = 10, core_bps: float = 1e9) -> Case:
    """``random_regular`` with each node at a random router of a scale-free core."""
    import networkx as nx

    streams = Streams(SEED)
    core = nx.barabasi_albert_graph(routers, 2, seed=streams.integer("core", routers))
    router = streams.rng("core places", nodes).integers(0, routers, nodes).tolist()
    link: dict[tuple[int, int], int] = {}
    for a, b in core.edges():
        link[a, b], link[b, a] = 2 * nodes + len(link), 2 * nodes + len(link) + 1
    capacity_bps = np.concatenate([access_rates(nodes), np.full(len(link), core_bps)])
    paths = dict(nx.all_pairs_shortest_path(core))
    routes = []
    for a, b in zip(*(side.tolist() for side in _regular_pairs(nodes, degree)), strict=True):
        path = paths[router[a]][router[b]]
        inner = [link[hop] for hop in pairwise(path)]
        routes.append([2 * a, *inner, 2 * b + 1])
    ptr = np.cumsum([0, *map(len, routes)])
    bits = _same(len(routes), LARGE_BITS)
    return _case(capacity_bps, bits, ptr, np.concatenate(routes), np.zeros(len(routes)))


def _regular_pairs(nodes: int, degree: int) -> tuple[Int64, Int64]:
    import networkx as nx

    seed = Streams(SEED).integer("random regular", nodes, degree)
    edges = np.array(nx.random_regular_graph(degree, nodes, seed=seed).edges(), np.int64)
    return edges.T.ravel(), edges[:, ::-1].T.ravel()


def _same(count: int, bits: int) -> Int64:
    return np.full(count, bits, np.int64)


def _access(
    capacity_bps: Float64,
    sender: npt.NDArray[np.intp],
    receiver: npt.NDArray[np.intp],
    bits: Int64,
    start_s: Float64 | None = None,
) -> Case:
    """Transfers over the uplink of the sender and the downlink of the receiver."""
    links = np.stack([2 * sender, 2 * receiver + 1], axis=1).ravel().astype(np.int64)
    ptr = np.arange(0, len(links) + 1, 2)
    return _case(
        capacity_bps, bits, ptr, links, np.zeros(len(bits)) if start_s is None else start_s
    )


def _case(capacity_bps: Float64, bits: Int64, ptr: Int64, links: Int64, start_s: Float64) -> Case:
    none = np.zeros(0, np.int64)
    return Case(capacity_bps, bits, ptr, links, start_s, np.zeros(0), none, np.zeros(0))
