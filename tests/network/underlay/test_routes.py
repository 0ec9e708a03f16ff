"""Routes join, are the quickest, and are always the same."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netsim.network.underlay.backbone import Backbone, Edge, UnderlayError
from netsim.network.underlay.routing import Routing


def graph_of(backbone):
    """The backbone as a graph with latencies in ns, and their product with R plus one hop."""
    graph = nx.DiGraph()
    columns = (backbone.tail_E, backbone.head_E, backbone.latency_ns_E)
    for tail, head, latency in zip(*(each.tolist() for each in columns), strict=True):
        if graph.has_edge(tail, head):
            latency = min(latency, graph.edges[tail, head]["ns"])
        graph.add_edge(tail, head, ns=latency, cost=latency * len(backbone.routers) + 1)
    return graph


def test_without_an_underlay_a_route_is_uplink_and_downlink(build, routes_of, all_pairs):
    """Router and all: nothing between, and no latency but the nodes' own."""
    topology = build("access", nodes=3)
    assert set(map(len, routes_of(topology).values())) == {0}
    assert topology.path_latency_s(*all_pairs(3)).tolist() == [0.002] * 6
    assert len(topology.capacity_bps_L) == 6


def test_routes_join_and_have_least_latency(build, generated, routes_of):
    """Against networkx, to the nanosecond, half of both access latencies included."""
    topology = build(generated, nodes=45)
    graph = graph_of(topology.backbone)
    best = dict(nx.all_pairs_dijkstra_path_length(graph, weight="ns"))
    for (a, b), inner in routes_of(topology).items():
        ends = (int(topology.router_H[a]), int(topology.router_H[b]))
        ns = int(topology.backbone.latency_ns_E[inner].sum())
        assert ns == best[ends[0]][ends[1]]
        delay = topology.path_latency_s(np.array([a]), np.array([b]))[0]
        assert delay == pytest.approx(0.002 + ns / 1e9, abs=1e-15)


def test_nodes_of_one_router_meet_no_inner_link(build, routes_of):
    """20 nodes on 3 clusters, round robin."""
    routes = routes_of(build({"kind": "star_of_clusters", "clusters": 3, "rate": "1 Mbit/s"}))
    for (a, b), inner in routes.items():
        assert len(inner) == (0 if a % 3 == b % 3 else 2)


def test_half_duplex_routes_end_in_the_shared_link(build):
    underlay = {"kind": "star_of_clusters", "clusters": 2, "rate": "1 Mbit/s"}
    topology = build(underlay, nodes=2, half_duplex=True)
    ptr, links = topology.routes(np.array([0]), np.array([1]))
    assert ptr.tolist() == [0, 4]
    assert links[[0, 3]].tolist() == [0, 2]


def test_a_fat_tree_uses_all_its_cores_alike(build, routes_of):
    """All to all between the pods of a 4-ary tree: the same load on each link to a core."""
    topology = build({"kind": "fat_tree", "k": 4, "rate": "1 Gbit/s"}, nodes=8)
    load = Counter(link for inner in routes_of(topology).values() for link in inner)
    names = {link: topology.backbone.link_name(link) for link in range(64)}
    to_core = [load[link] for link, name in names.items() if "–core" in name]
    from_core = [load[link] for link, name in names.items() if "link core" in name]
    assert len(to_core) == len(from_core) == 16
    assert len({*to_core, *from_core}) == 1


def test_routes_do_not_depend_on_what_was_asked_before(build, generated, all_pairs):
    """All at once, one by one, and backwards give the same links."""
    ptr, links = build(generated).routes(*all_pairs(20))
    late = build(generated)
    for at, (a, b) in reversed(list(enumerate(zip(*all_pairs(20), strict=True)))):
        _, route = late.routes(np.array([a]), np.array([b]))
        assert route.tolist() == links[ptr[at] : ptr[at + 1]].tolist()


@st.composite
def backbones(draw):
    """Connected graphs of up to 9 routers, some latencies equal, some edges parallel."""
    routers = draw(st.integers(2, 9))
    latency = st.sampled_from([0.0, 0.001, 0.002, 0.003, 1e-9])
    tree = [(draw(st.integers(0, each - 1)), each) for each in range(1, routers)]
    node = st.integers(0, routers - 1)
    more = draw(st.lists(st.tuples(node, node).filter(lambda e: e[0] != e[1]), max_size=15))
    edges = [Edge(a, b, 1.0, draw(latency)) for a, b in [*tree, *more]]
    return Backbone.of([str(each) for each in range(routers)], edges)


@given(backbones())
@settings(max_examples=150, deadline=None)
def test_any_graph_has_quickest_routes_with_fewest_hops(backbone):
    """Latency first, then hops, as networkx finds with both in one weight."""
    routing, routers = Routing(backbone), len(backbone.routers)
    best = dict(nx.all_pairs_dijkstra_path_length(graph_of(backbone), weight="cost"))
    source, target = np.divmod(np.arange(routers * routers), routers)
    hops = routing.hops_M(source, target)
    ends = np.cumsum(hops)
    links = np.empty(ends[-1], np.int64)
    routing.write(links, ends, source, target, 0)
    for a, b, count, end in zip(*(x.tolist() for x in (source, target, hops, ends)), strict=True):
        route = links[end - count : end]
        assert backbone.tail_E[route].tolist() == [a, *backbone.head_E[route].tolist()][:-1]
        assert [a, *backbone.head_E[route].tolist()][-1] == b
        ns = int(backbone.latency_ns_E[route].sum())
        assert ns * routers + count == best[a][b]
        assert routing.latency_s_M(np.array([a]), np.array([b]))[0] == ns / 1e9


def test_latencies_add_up_to_the_exact_decimal():
    """0.1 + 0.2 s is 0.3 s."""
    routing = Routing(Backbone.of("abc", [Edge(0, 1, 1.0, 0.1), Edge(1, 2, 1.0, 0.2)]))
    assert routing.latency_s_M(np.array([0]), np.array([2])).tolist() == [0.3]


@pytest.mark.parametrize(
    ("edges", "both_ways", "lost"),
    [([(0, 1)], True, "from 'a' to 'c'"), ([(0, 1), (1, 2), (0, 2)], False, "from 'b' to 'a'")],
)
def test_a_graph_that_is_not_connected_is_refused(edges, both_ways, lost):
    """Also where only the way back is missing."""
    backbone = Backbone.of("abc", [Edge(a, b, 1.0, 0.0) for a, b in edges], both_ways=both_ways)
    with pytest.raises(UnderlayError, match=f"not connected: no way {lost}"):
        Routing(backbone)


def test_latencies_too_long_to_compare_are_refused():
    with pytest.raises(UnderlayError, match="too long"):
        Backbone.of("ab", [Edge(0, 1, 1.0, 1e300)])
    with pytest.raises(UnderlayError, match="too large"):
        Routing(Backbone.of("ab", [Edge(0, 1, 1.0, 8e6)]))
