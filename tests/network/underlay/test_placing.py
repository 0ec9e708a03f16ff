"""Which router a node sits on."""

import numpy as np
import pytest
from scipy import stats

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.topology import Guest

STAR = {"kind": "star_of_clusters", "clusters": 3, "rate": "1 Mbit/s"}
GUESTS = (Guest("server"), Guest("mask", like=1), Guest("shadow", host=2))


def test_round_robin_goes_on_with_the_server(build):
    """Clusters are routers 1 to 3; a node like a client is with it; one on its host has none."""
    topology = build(STAR, nodes=4, guests=GUESTS)
    assert topology.router_H.tolist() == [1, 2, 3, 1, 2, 2]
    assert topology.host_N.tolist() == [0, 1, 2, 3, 4, 5, 2]
    assert topology.like_H.tolist() == [0, 1, 2, 3, -1, 1]


def test_random_is_uniform_and_the_seeds(build):
    """Chi-square over 3000 nodes (false alarm at one seed in 10^4); guests change nothing."""
    where = build({**STAR, "attach": "random"}, nodes=3000).router_H
    assert stats.chisquare(np.bincount(where)[1:]).pvalue > 1e-4
    more = build({**STAR, "attach": "random"}, nodes=3000, guests=GUESTS).router_H
    assert np.array_equal(where, more[:3000])
    other = build({**STAR, "attach": "random"}, nodes=3000, seed=2).router_H
    assert not np.array_equal(where, other)


def test_a_scenario_may_say_where_nodes_sit(build):
    """The server at the core, client 1 in the last cluster and its mask with it."""
    stated = {"overrides": {1: {"router": "cluster 2"}}, "server": {"router": "core"}}
    topology = build(STAR, nodes=4, guests=GUESTS, **stated)
    assert topology.router_H.tolist() == [1, 3, 3, 1, 0, 3]


@pytest.mark.parametrize(
    ("router", "message"),
    [
        ("cor", "unknown router 'cor'; did you mean 'core'?"),
        ("x", "unknown router 'x'; one is 'core'"),
    ],
)
def test_an_unknown_router_is_named(router, message):
    config = NetworkConfig.model_validate(
        {
            "nodes": 3,
            "uplink": "1 MB/s",
            "downlink": "1 MB/s",
            "underlay": STAR,
            "server": {"router": router},
            "overrides": {1: {"router": router}},
        }
    )
    assert dict(config.problems(Streams(0))) == {
        ("server", "router"): message,
        ("overrides", 1, "router"): message,
    }
