"""Underlays from files."""

import networkx as nx
import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.topology import Topology
from netsim.network.underlay.reading import read_graph
from netsim.scenario.errors import ScenarioError

WRITERS = {
    "graphml": nx.write_graphml,
    "gml": nx.write_gml,
    "edgelist": nx.write_edgelist,
}


def small(kind=nx.Graph, clients=None):
    """A triangle with a tail: a–b 1 Mbit/s 1 ms, b–c 2 Mbit/s 2 ms, …"""
    graph = kind()
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
    for at, (one, other) in enumerate(edges, 1):
        graph.add_edge(one, other, rate=f"{at} Mbit/s", latency=f"{at} ms")
    for node, text in (clients or {}).items():
        graph.nodes[node]["clients"] = text
    return graph


@pytest.fixture(params=WRITERS)
def suffix(request):
    """Each format."""
    return request.param


@pytest.fixture
def problems(tmp_path):
    """What is wrong with a network on a graph or text that is written to a file."""

    def find(content, suffix="graphml", nodes=3):
        path = tmp_path / f"net.{suffix}"
        if isinstance(content, str):
            path.write_text(content, "utf-8")
        else:
            WRITERS[suffix](content, path)
        rates = {"nodes": nodes, "uplink": "1 MB/s", "downlink": "1 MB/s"}
        config = NetworkConfig.model_validate(rates | {"underlay": {"kind": "file", "path": path}})
        found = list(config.problems(Streams(0)))
        texts = [f"{'.'.join(map(str, loc))}: {text}" for loc, text in found]
        return [text.replace(str(path), "net") for text in texts]

    return find


def test_every_format_gives_the_same_network(build, suffix, tmp_path):
    """Written by networkx, read back: names, rates and latencies."""
    path = tmp_path / f"net.{suffix}"
    WRITERS[suffix](small(), path)
    backbone = build({"kind": "file", "path": path}).backbone
    links = {
        backbone.link_name(link): (backbone.rate_bps_E[link], backbone.latency_ns_E[link])
        for link in range(len(backbone.tail_E))
    }
    assert links == {
        f"link {name}": (at * 1e6, at * 1_000_000)
        for at, both in enumerate(
            (("a–b", "b–a"), ("b–c", "c–b"), ("a–c", "c–a"), ("c–d", "d–c")), 1
        )
        for name in both
    }


def test_a_directed_graph_has_links_one_way(build, routes_of, tmp_path):
    """a → b → c → a and back from d: no way from b to a but through c."""
    graph = small(nx.DiGraph)
    graph.add_edge("d", "c", rate="9 Mbit/s")
    nx.write_graphml(graph, tmp_path / "net.graphml")
    topology = build({"kind": "file", "path": tmp_path / "net.graphml"}, nodes=4)
    assert len(topology.backbone.tail_E) == 5
    routes = routes_of(topology)
    assert [topology.backbone.link_name(link) for link in routes[1, 0]] == ["link b–c", "link c–a"]


def test_parallel_edges_are_links_of_their_own(build, tmp_path):
    """The quicker one is taken."""
    path = tmp_path / "net.edgelist"
    path.write_text(
        "# two cables\n"
        "a b {'rate': '1 Mbit/s', 'latency': '2 ms'}  # slow\n"
        "a b {'rate': '1 Mbit/s', 'latency': '1 ms', 'colour': 'red'}\n",
        "utf-8",
    )
    topology = build({"kind": "file", "path": path}, nodes=2)
    assert len(topology.backbone.tail_E) == 4
    assert topology.path_latency_s(np.array([0]), np.array([1])).tolist() == [0.003]


@pytest.mark.parametrize("format", ["graphml", "gml"])
def test_routers_may_say_who_sits_there(build, tmp_path, format):
    """Clients where the file says, an override wins, the server by the rule (a is first)."""
    path = tmp_path / f"net.{format}"
    WRITERS[format](small(clients={"d": "0, 3", "b": "2", "c": 1}), path)
    topology = build({"kind": "file", "path": path}, nodes=4, overrides={3: {"router": "a"}})
    assert [topology.backbone.routers[at] for at in topology.router_H] == ["d", "c", "b", "a"]


def test_path_is_relative_to_the_working_directory(build, tmp_path, monkeypatch):
    WRITERS["gml"](small(), tmp_path / "net.gml")
    monkeypatch.chdir(tmp_path)
    assert build({"kind": "file", "path": "net.gml"}).backbone.routers == ("a", "b", "c", "d")


def test_every_wrong_edge_is_named(problems):
    graph = small()
    del graph.edges["a", "b"]["rate"]
    graph.edges["b", "c"].update(rate="10", latency="fast")
    graph.edges["c", "a"]["rate"] = "3 Mbps"
    graph.add_edge("d", "d", rate="1 Mbit/s")
    assert problems(graph) == [
        "underlay.path: net: edge d–d: leads back to its start",
        "underlay.path: net: edge a–b: rate: missing key 'rate'",
        "underlay.path: net: edge a–c: rate: '3 Mbps': unknown unit 'Mbps'; write '3 Mbit/s'",
        "underlay.path: net: edge b–c: rate: '10' has no unit; write '10 Mbit/s' or '10 MB/s'",
        "underlay.path: net: edge b–c: latency: must be a duration such as '20 ms', not 'fast'",
    ]


def test_numbers_without_unit_are_refused(problems, suffix):
    graph = small()
    graph.edges["a", "b"]["rate"] = 1e6
    (problem,) = problems(graph, suffix)
    assert "edge a–b: rate: '1000000' has no unit" in problem


@pytest.mark.parametrize(
    ("clients", "expected"),
    [
        ({"a": "0 1"}, ["client 2 is on no router (1 of 3 are on none)"]),
        ({"a": "0 1 2 3"}, ["there is no client 3; clients are 0 to 2"]),
        ({"a": "0 1 2", "b": 1}, ["client 1 is on 2 routers"]),
        ({"a": "0 1 2", "b": "-1"}, ["router b: clients must be numbers such as '0 3 7'"]),
    ],
)
def test_clients_must_sit_on_one_router_each(problems, clients, expected):
    assert problems(small(clients=clients)) == [f"underlay.path: net: {each}" for each in expected]


def test_a_graph_needs_edges_and_must_be_connected(problems, suffix):
    empty = nx.Graph()
    if suffix != "edgelist":
        empty.add_nodes_from("ab")
    assert problems(empty, suffix) == ["underlay.path: net: the graph has no edges"]
    graph = small()
    graph.add_edge("x", "y", rate="1 Mbit/s")
    assert problems(graph, suffix) == [
        "underlay: the graph is not connected: no way from 'a' to 'x'"
    ]


def test_many_faults_are_summed_up(problems):
    graph = nx.path_graph(40)
    found = problems(graph)
    assert len(found) == 11
    assert found[-1] == "underlay.path: net: and 29 more faults"


def test_files_that_cannot_be_read_are_named(problems, tmp_path):
    assert "is no graphml file that networkx reads" in problems("<graphml><graph")[0]
    assert "is no gml file that networkx reads" in problems("graph [ node [", "gml")[0]
    assert problems("a b {'rate': '1 Mbit/s'}\na b\n", "edgelist") == [
        "underlay.path: net is no edgelist file that networkx reads: "
        "line 2 is not of the form: a b {'rate': '1 Gbit/s'}"
    ]
    assert problems("a b 3 + 4", "edgelist")[0].endswith("a b {'rate': '1 Gbit/s'}")
    assert problems("", "dot") == [
        "underlay.path: net unknown suffix '.dot'; known: .graphml, .gml, .edgelist"
    ]


def test_a_missing_file_is_named():
    rates = {"nodes": 3, "uplink": "1 MB/s", "downlink": "1 MB/s"}
    underlay = {"kind": "file", "path": "nowhere.graphml"}
    config = NetworkConfig.model_validate(rates | {"underlay": underlay})
    with pytest.raises(
        ScenarioError, match=r"nowhere\.graphml cannot be read: No such file or dir"
    ):
        Topology.build(config)


def test_a_broken_file_never_ends_in_a_traceback(problems, suffix, tmp_path):
    """Every prefix of a good file is read or refused in words."""
    path = tmp_path / f"whole.{suffix}"
    WRITERS[suffix](small(), path)
    text = path.read_text("utf-8")
    for end in range(0, len(text), 7):
        problems(text[:end], suffix)
    assert nx.number_of_nodes(read_graph(path)) == 4
