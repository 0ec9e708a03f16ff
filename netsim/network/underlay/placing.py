"""Which router each host sits on."""

from collections.abc import Iterator

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.sharing.base import Int64
from netsim.network.underlay.backbone import Backbone


def router_H(config: NetworkConfig, backbone: Backbone, like_H: Int64, streams: Streams) -> Int64:
    """The router of each of H hosts, clients first.

    A host sits where the scenario says (``router`` of an override or the server), else where
    the underlay's file says, else as the underlay attaches nodes; one like a client (``like_H``
    is that client, -1 for a server) on that client's router.
    """
    routers = config.underlay.router_H(backbone.doors, len(like_H), streams)
    for client, router in backbone.clients.items():
        routers[client] = router
    for host, router in _stated(config, backbone, like_H):
        routers[host] = router
    copies = like_H >= 0
    routers[copies] = routers[like_H[copies]]
    return routers


def _stated(config: NetworkConfig, backbone: Backbone, like_H: Int64) -> Iterator[tuple[int, int]]:
    number = {name: at for at, name in enumerate(backbone.routers)}
    for client, own in config.overrides.items():
        if own.router is not None:
            yield client, number[own.router]
    if config.server.router is not None:
        for host in (like_H < 0).nonzero()[0].tolist():
            yield host, number[config.server.router]
