"""The ``network:`` section and the topology it makes."""

import numpy as np
import pytest

from netsim.network.config import NetworkConfig
from netsim.network.topology import Guest, Topology

RATES = {"uplink": "1 kB/s", "downlink": "2 kB/s", "latency": "10 ms"}


def config(**settings):
    """Three nodes at 1 kB/s up, 2 kB/s down and 10 ms unless told otherwise."""
    return NetworkConfig.model_validate({"nodes": 3} | RATES | settings)


def test_without_latency_there_is_none():
    """nodes, uplink and downlink are enough."""
    short = {"nodes": 2, "uplink": "1 kB/s", "downlink": "1 kB/s"}
    assert Topology.build(NetworkConfig.model_validate(short)).latency_s_H.tolist() == [0, 0]


def test_a_list_gives_each_client_its_own_and_an_override_wins():
    """Rates in bit/s; what an override leaves out is the client's."""
    topology = Topology.build(
        config(uplink=["1 kB/s", "3 kB/s", "2 kB/s"], overrides={1: {"downlink": "0 bit/s"}})
    )
    assert topology.uplink_bps_H.tolist() == [8000, 24000, 16000]
    assert topology.downlink_bps_H.tolist() == [16000, 0, 16000]
    assert topology.capacity_bps_L.tolist() == [8000, 16000, 24000, 0, 16000, 16000]


def test_each_end_of_a_path_brings_half_of_its_latency():
    """Between equal nodes it is the latency of both; 10 and 30 ms make 20 ms."""
    topology = Topology.build(config(latency=["10 ms", "10 ms", "30 ms"]))
    times = topology.path_latency_s(np.array([0, 0, 2]), np.array([1, 2, 0]))
    assert times.tolist() == pytest.approx([0.01, 0.02, 0.02])


def test_a_server_is_like_the_median_client_unless_it_is_told():
    """Each of its three properties on its own."""
    settings = {"uplink": ["1 kB/s", "9 kB/s", "2 kB/s"], "server": {"downlink": "1 GB/s"}}
    topology = Topology.build(config(**settings), (Guest("server"),))
    assert topology.names[-1] == "server"
    assert topology.uplink_bps_H[-1] == 16000
    assert topology.downlink_bps_H[-1] == 8e9
    assert topology.latency_s_H[-1] == 0.01


def test_a_virtual_node_sits_on_its_nodes_link_or_has_one_like_it():
    """``host`` shares; ``like`` copies rates and latency of that client, overrides included."""
    guests = (Guest("shared", host=1), Guest("own", like=1))
    topology = Topology.build(config(overrides={1: {"uplink": "5 kB/s"}}), guests)
    assert topology.host_N.tolist() == [0, 1, 2, 1, 3]
    assert topology.uplink_bps_H.tolist() == [8000, 40000, 8000, 40000]


def test_links_are_named_after_the_node_they_belong_to():
    """Uplinks are even and downlinks odd; half duplex has one link a node."""
    topology = Topology.build(config(), (Guest("server"),))
    assert [topology.link_name(link) for link in (0, 3, 6)] == [
        "uplink of node 0",
        "downlink of node 1",
        "uplink of server",
    ]
    assert (
        Topology.build(config(downlink="1 kB/s", half_duplex=True)).link_name(2) == "link of node 1"
    )


def test_lists_and_overrides_must_fit_the_number_of_nodes():
    """Each problem at its place."""
    wrong = config(uplink=["1 kB/s"] * 2, latency=["0 s"] * 4, overrides={3: {}, -1: {}})
    found = dict(wrong.problems())
    assert list(found) == [("uplink",), ("latency",), ("overrides", 3), ("overrides", -1)]
    assert found["uplink",] == "2 values for 3 nodes; write one a node"
    assert found["overrides", 3] == "no node 3; nodes are 0 to 2"
    assert list(config(overrides={2: {}}).problems()) == []
