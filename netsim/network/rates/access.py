"""The access links of clients and server: drawn, then overridden."""

from dataclasses import dataclass

import numpy as np

from netsim.kernel.streams import Streams
from netsim.network.config import Access, NetworkConfig
from netsim.network.rates.classes import class_of_K
from netsim.network.rates.draws import Given, values_K
from netsim.network.sharing.base import Float64, Int64

Link = tuple[float, float, float]
"""Uplink and downlink in bit/s, latency in s."""


@dataclass(frozen=True)
class ClientAccess:
    """Links of K clients: columns uplink bit/s, downlink bit/s, latency s; and their class.

    ``class_K`` is empty where the scenario has no classes.
    """

    links_K3: Float64
    class_K: tuple[str, ...]

    def server(self, own: Access) -> Link:
        """What ``own`` states, and for the rest the median client."""
        return _overridden(own, np.median(self.links_K3, axis=0))


def client_access(config: NetworkConfig, streams: Streams) -> ClientAccess:
    """Draws the clients' access links; a value depends on its name and the seed alone."""
    if config.classes:
        class_K = class_of_K(config.classes, config.nodes, streams)
        links = _by_class(config, class_K, streams)
        names = tuple(config.classes[each].name for each in class_K.tolist())
    else:
        assert config.uplink is not None, "a network has an uplink or classes"
        latency = 0.0 if config.latency is None else config.latency
        links = _drawn(config.nodes, streams, config.uplink, config.downlink, latency)
        names = ()
    for node, own in config.overrides.items():
        links[node] = _overridden(own, links[node])
    return ClientAccess(links, names)


def _by_class(config: NetworkConfig, class_K: Int64, streams: Streams) -> Float64:
    links_CK3 = [
        _drawn(config.nodes, streams, each.uplink, each.downlink, each.latency, number)
        for number, each in enumerate(config.classes)
    ]
    return np.stack(links_CK3)[class_K, np.arange(config.nodes)]


def _drawn(
    nodes: int, streams: Streams, up: Given, down: Given | None, latency: Given, *keys: int
) -> Float64:
    """Columns uplink, downlink (the uplink where it is left out) and latency."""
    given = {"uplink": up, "downlink": up if down is None else down, "latency": latency}
    columns = [
        values_K(each, nodes, streams.rng(f"network {name}", *keys)) for name, each in given.items()
    ]
    return np.stack(columns, axis=1)


def _overridden(own: Access, link: Float64) -> Link:
    stated = (own.uplink, own.downlink, own.latency)
    up, down, latency = (
        usual if mine is None else mine for mine, usual in zip(stated, link.tolist(), strict=True)
    )
    return up, down, latency
