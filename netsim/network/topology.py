"""Nodes and the access links they sit on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from netsim.network.config import Access, NetworkConfig

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]
Nodes = npt.NDArray[np.int32] | Int64


@dataclass(frozen=True)
class Guest:
    """A node beside the clients: a server, or a virtual node of a client.

    ``host`` is the node on whose access link it sits; None gives it a link of its own,
    ``like`` that of another client, or as the scenario's ``server`` says.
    """

    name: str
    host: int | None = None
    like: int | None = None


@dataclass(frozen=True)
class Topology:
    """Who is where.  Shapes: N nodes (clients first), H hosts; L = 2H links.

    Host h has uplink ``2h`` and downlink ``2h + 1`` (one link ``2h`` when half duplex).
    Several nodes may share a host; what they send each other never meets a link.
    """

    names: tuple[str, ...]
    host_N: Int64
    uplink_bps_H: Float64
    downlink_bps_H: Float64
    latency_s_H: Float64
    half_duplex: bool = False

    @classmethod
    def build(cls, config: NetworkConfig, guests: tuple[Guest, ...] = ()) -> "Topology":
        """The clients of ``config`` and the ``guests`` a protocol brings."""
        links = [_client(config, node) for node in range(config.nodes)]
        names = [f"node {node}" for node in range(config.nodes)]
        hosts = list(range(config.nodes))
        for guest in guests:
            names.append(guest.name)
            if guest.host is not None:
                hosts.append(guest.host)
                continue
            hosts.append(len(links))
            links.append(_server(config, links) if guest.like is None else links[guest.like])
        up, down, latency = np.array(links, dtype=np.float64).T
        return cls(tuple(names), np.array(hosts), up, down, latency, config.half_duplex)

    @property
    def capacity_bps_L(self) -> Float64:
        """Rate of each link, bit/s."""
        return np.stack([self.uplink_bps_H, self.downlink_bps_H], axis=1).ravel()

    def link_name(self, link: int) -> str:
        """The link's name in words."""
        host = self.names[int(np.flatnonzero(self.host_N == link // 2)[0])]
        if self.half_duplex:
            return f"link of {host}"
        return f"{'downlink' if link % 2 else 'uplink'} of {host}"

    def routes(self, sender_M: Nodes, receiver_M: Nodes) -> tuple[Int64, Int64]:
        """Links each of M messages between different hosts takes, as (ptr [M+1], links [2M])."""
        pair = np.empty((len(sender_M), 2), np.int64)
        pair[:, 0] = 2 * self.host_N[sender_M]
        pair[:, 1] = 2 * self.host_N[receiver_M] + (0 if self.half_duplex else 1)
        return np.arange(0, 2 * len(pair) + 1, 2, dtype=np.int64), pair.ravel()

    def path_latency_s(self, sender_M: Nodes, receiver_M: Nodes) -> Float64:
        """One-way delay of M messages, s: half of each end's latency."""
        both = self.latency_s_H[self.host_N[sender_M]] + self.latency_s_H[self.host_N[receiver_M]]
        return np.asarray(both / 2)


def _client(config: NetworkConfig, node: int) -> tuple[float, float, float]:
    own = config.overrides.get(node, Access())
    return (
        _pick(own.uplink, config.uplink, node),
        _pick(own.downlink, config.downlink, node),
        _pick(own.latency, config.latency, node),
    )


def _pick(own: float | None, common: float | tuple[float, ...], node: int) -> float:
    if own is not None:
        return own
    return common[node] if isinstance(common, tuple) else common


def _server(
    config: NetworkConfig, clients: list[tuple[float, float, float]]
) -> tuple[float, float, float]:
    median = np.median(np.array(clients[: config.nodes]), axis=0).tolist()
    own = (config.server.uplink, config.server.downlink, config.server.latency)
    up, down, latency = (m if o is None else o for o, m in zip(own, median, strict=True))
    return up, down, latency
