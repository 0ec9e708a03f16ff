"""What TCP must know of a topology's links."""

from collections.abc import Iterator

import numpy as np

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig, Problem
from netsim.network.rates.access import client_access
from netsim.network.sharing.base import Int64, Sharing
from netsim.network.topology import Float64, Topology
from netsim.network.transport.config import Tcp, Transport
from netsim.network.transport.tcp import TcpSharing
from netsim.network.underlay.backbone import NANOSECOND, Backbone


def over_tcp(sharing: Sharing, transport: Transport, topology: Topology) -> Sharing:
    """``sharing`` paced by TCP, or as it is where the transport is another."""
    if not isinstance(transport, Tcp):
        return sharing
    return TcpSharing(sharing, transport, latency_s_L(topology), reverse_L(topology))


def weight_problems(config: NetworkConfig, streams: Streams) -> Iterator[Problem]:
    """Why connections cannot be weighted by their round trips; the rest of ``config`` is sound."""
    if not isinstance(config.transport, Tcp) or not config.transport.rtt_weights:
        return
    without = np.flatnonzero(client_access(config, streams).links_K3[:, 2] == 0)
    if len(without):
        yield (
            ("transport", "rtt_weights"),
            f"node {without[0]} has latency 0, so a round trip may take no time and have no "
            "weight; give every node a latency",
        )


def latency_s_L(topology: Topology) -> Float64:
    """The delay of each link, s: an access link's is half its node's latency."""
    access = np.repeat(topology.latency_s_H / 2, 2)
    return np.concatenate([access, topology.backbone.latency_ns_E * NANOSECOND])


def reverse_L(topology: Topology) -> Int64:
    """The link of the opposite direction of each link; a one-way link stands for itself."""
    access = np.arange(2 * len(topology.uplink_bps_H))
    if not topology.half_duplex:
        access ^= 1
    return np.concatenate([access, len(access) + _reverse_E(topology.backbone)])


def _reverse_E(backbone: Backbone) -> Int64:
    ends = list(zip(backbone.tail_E.tolist(), backbone.head_E.tolist(), strict=True))
    number = {end: link for link, end in enumerate(ends)}
    back = [number.get((head, tail), link) for link, (tail, head) in enumerate(ends)]
    return np.array(back, dtype=np.int64)
