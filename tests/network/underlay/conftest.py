"""Networks with an underlay, and what their routes look like."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.topology import Topology

LINK = {"rate": "1 Mbit/s", "latency": "5 ms"}
KINDS = [
    {"kind": "star_of_clusters", "clusters": 3, **LINK},
    {"kind": "fat_tree", "k": 4, **LINK},
    {"kind": "waxman", "routers": 30, "latency_across": "20 ms", **LINK},
    {"kind": "geometric", "routers": 40, "radius": 0.35, "latency_across": "20 ms", **LINK},
    {"kind": "scale_free", "routers": 40, "links": 2, **LINK},
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind["kind"])
def generated(request):
    """Each kind of underlay that is generated."""
    return request.param


@pytest.fixture
def build():
    """A network of so many nodes on an underlay; 8 Mbit/s each way and 2 ms unless told."""

    def make(underlay, nodes=20, guests=(), seed=1, **settings):
        rates = {"nodes": nodes, "uplink": "1 MB/s", "downlink": "1 MB/s", "latency": "2 ms"}
        config = NetworkConfig.model_validate(rates | {"underlay": underlay} | settings)
        return Topology.build(config, guests, Streams(seed))

    return make


def pairs(nodes):
    """Senders and receivers of all ordered pairs of different nodes."""
    sender, receiver = np.divmod(np.arange(nodes * nodes), nodes)
    apart = sender != receiver
    return sender[apart], receiver[apart]


@pytest.fixture
def all_pairs():
    """Senders and receivers of all ordered pairs of different nodes."""
    return pairs


@pytest.fixture
def routes_of():
    """All ordered pairs of nodes with their inner links, and its routes checked to join."""

    def walk(topology):
        hosts = len(topology.uplink_bps_H)
        sender, receiver = pairs(hosts)
        ptr, links = topology.routes(sender, receiver)
        assert ptr[0] == 0
        assert ptr[-1] == len(links)
        found = {}
        for at, (a, b) in enumerate(zip(sender.tolist(), receiver.tolist(), strict=True)):
            route = links[ptr[at] : ptr[at + 1]]
            inner = (route[1:-1] - 2 * hosts).tolist()
            assert (route[0], route[-1]) == (2 * a, 2 * b + 1)
            here = topology.router_H[a]
            for link in inner:
                assert topology.backbone.tail_E[link] == here
                here = topology.backbone.head_E[link]
            assert here == topology.router_H[b]
            found[a, b] = inner
        return found

    return walk
