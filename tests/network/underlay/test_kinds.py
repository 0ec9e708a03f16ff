"""The shapes of generated underlays."""

import networkx as nx
import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.topology import Topology
from netsim.scenario.errors import ScenarioError


def undirected(backbone):
    """The routers' names as a graph; each edge must be there in both directions."""
    edges = list(zip(backbone.tail_E.tolist(), backbone.head_E.tolist(), strict=True))
    assert sorted(edges) == sorted((b, a) for a, b in edges)
    assert len(set(edges)) == len(edges)
    graph = nx.Graph()
    graph.add_edges_from((backbone.routers[a], backbone.routers[b]) for a, b in edges)
    return graph


def test_clusters_hang_on_a_core(build):
    backbone = build({"kind": "star_of_clusters", "clusters": 4, "rate": "3 Mbit/s"}).backbone
    graph = undirected(backbone)
    assert set(graph["core"]) == {f"cluster {each}" for each in range(4)}
    assert graph.number_of_edges() == 4
    assert backbone.doors.tolist() == [1, 2, 3, 4]
    assert set(backbone.rate_bps_E.tolist()) == {3e6}


@pytest.mark.parametrize("k", [2, 4, 6])
def test_every_switch_of_a_fat_tree_has_k_ports(build, k):
    """k/2 of those of an edge switch are for nodes: k³/4 in all."""
    backbone = build({"kind": "fat_tree", "k": k, "rate": "1 Gbit/s"}).backbone
    graph = undirected(backbone)
    degrees = {}
    for name, degree in graph.degree():
        degrees.setdefault(name.split()[0], []).append(degree)
    assert degrees == {
        "core": [k] * (k * k // 4),
        "aggregation": [k] * (k * k // 2),
        "edge": [k // 2] * (k * k // 2),
    }
    assert [backbone.routers[door].split()[0] for door in backbone.doors] == ["edge"] * (k * k // 2)


def test_a_core_reaches_each_pod_once(build):
    graph = undirected(build({"kind": "fat_tree", "k": 6, "rate": "1 Gbit/s"}).backbone)
    for core in range(9):
        pods = sorted(name.removeprefix("aggregation ")[0] for name in graph[f"core {core}"])
        assert pods == list("012345")
    cores = {name for name in graph["aggregation 4.1"] if name.startswith("core")}
    assert cores == {"core 3", "core 4", "core 5"}


def test_waxman_and_geometric_links_cost_their_length(build):
    """5 ms and 20 ms across the unit square: more than 5 ms and at most 5 + 20·√2 ms."""
    link = {"rate": "1 Mbit/s", "latency": "5 ms", "latency_across": "20 ms", "routers": 40}
    for kind in ({"kind": "waxman"}, {"kind": "geometric", "radius": 0.3}):
        backbone = build({**kind, **link}).backbone
        undirected(backbone)
        longest = 0.3 if "radius" in kind else 2**0.5
        latency_ms = backbone.latency_ns_E / 1e6
        assert latency_ms.min() > 5
        assert latency_ms.max() <= 5 + 20 * longest
        assert len(set(latency_ms.tolist())) == len(latency_ms) / 2


def test_waxman_links_are_rarer_over_distance(build):
    """With a small alpha links are short: the mean length halves at least."""
    link = {"kind": "waxman", "rate": "1 Mbit/s", "latency_across": "1 s", "routers": 200}
    near = build({**link, "alpha": 0.05, "beta": 1.0}).backbone.latency_ns_E.mean()
    far = build({**link, "alpha": 10.0, "beta": 0.1}).backbone.latency_ns_E.mean()
    assert near < far / 2


def test_scale_free_has_its_edges_and_hubs(build):
    """n routers with m links each from the (m+1)th on: m (n - m) edges, and a hub."""
    topology = build({"kind": "scale_free", "routers": 200, "links": 2, "rate": "1 Mbit/s"})
    graph = undirected(topology.backbone)
    assert graph.number_of_edges() == 2 * 198
    assert max(degree for _, degree in graph.degree()) > 15


def test_graphs_depend_on_the_seed_alone(build, generated):
    """Not on how many nodes there are; and random ones on the seed indeed."""
    one, again = build(generated, seed=1).backbone, build(generated, nodes=7, seed=1).backbone
    other = build(generated, seed=2).backbone
    for field in ("tail_E", "head_E", "latency_ns_E"):
        assert np.array_equal(getattr(one, field), getattr(again, field))
    same = np.array_equal(one.tail_E, other.tail_E) and np.array_equal(one.head_E, other.head_E)
    assert same == (generated["kind"] in ("star_of_clusters", "fat_tree"))


def test_links_have_names_and_capacities_after_the_access_links(build):
    topology = build({"kind": "star_of_clusters", "clusters": 2, "rate": "3 Mbit/s"}, nodes=2)
    names = [topology.link_name(link) for link in range(8)]
    assert names[:4] == [
        "uplink of node 0",
        "downlink of node 0",
        "uplink of node 1",
        "downlink of node 1",
    ]
    assert names[4:] == [
        "link cluster 0–core",
        "link core–cluster 0",
        "link cluster 1–core",
        "link core–cluster 1",
    ]
    assert topology.capacity_bps_L.tolist() == [8e6] * 4 + [3e6] * 4


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ({"kind": "geometric", "routers": 50, "radius": 0.01}, "raise radius"),
        ({"kind": "waxman", "routers": 50, "beta": 0.001}, "raise alpha or beta"),
    ],
)
def test_a_graph_that_falls_apart_is_refused_in_plain_words(kind, message):
    rates = {"nodes": 3, "uplink": "1 MB/s", "downlink": "1 MB/s"}
    underlay = {**kind, "rate": "1 Mbit/s"}
    config = NetworkConfig.model_validate(rates | {"underlay": underlay})
    assert list(config.problems()) == []
    ((place, text),) = config.problems(Streams(4))
    assert place == ("underlay",)
    assert text.startswith("the graph is not connected in any of 20 draws; ")
    assert message in text
    with pytest.raises(ScenarioError, match=r"seed 4: network\.underlay: the graph is not conn"):
        Topology.build(config, (), Streams(4))


def test_scale_free_needs_more_routers_than_links():
    rates = {"nodes": 3, "uplink": "1 MB/s", "downlink": "1 MB/s"}
    underlay = {"kind": "scale_free", "routers": 3, "links": 3, "rate": "1 Mbit/s"}
    config = NetworkConfig.model_validate(rates | {"underlay": underlay})
    expected = [(("underlay", "links"), "must be less than routers, 3")]
    assert list(config.problems(Streams(0))) == expected
