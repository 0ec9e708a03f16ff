"""Nodes, the access links they sit on, and the routes between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.rates.access import ClientAccess, client_access
from netsim.network.steps import TraceConfig
from netsim.network.underlay.backbone import Backbone
from netsim.network.underlay.placing import router_H
from netsim.network.underlay.routing import Routing
from netsim.scenario.errors import Problem, ScenarioError

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


@dataclass(frozen=True, eq=False)
class Topology:
    """Who is where.  Shapes: N nodes (K ``clients`` first), H hosts, E links between routers.

    Host h has uplink ``2h`` and downlink ``2h + 1`` (one link ``2h`` when half duplex); the
    underlay's links follow, L = 2H + E in all.  Several nodes may share a host; what they send
    each other never meets a link.  ``like_H`` is the client whose access link a host has, -1
    for a server; ``class_K`` the name of each client's class, empty without classes.  ``traces``
    change rates while a run goes on; all that is stated here is before they do.
    """

    names: tuple[str, ...]
    clients: int
    host_N: Int64
    uplink_bps_H: Float64
    downlink_bps_H: Float64
    latency_s_H: Float64
    like_H: Int64
    router_H: Int64
    routing: Routing
    half_duplex: bool = False
    class_K: tuple[str, ...] = ()
    traces: tuple[TraceConfig, ...] = ()

    @classmethod
    def build(
        cls, config: NetworkConfig, guests: tuple[Guest, ...] = (), streams: Streams | None = None
    ) -> "Topology":
        """The clients of ``config`` and the ``guests`` a protocol brings.

        What is drawn depends on the seed of ``streams`` (default: seed 0), never on the guests.
        Raises `ScenarioError` with all that is wrong with ``config``.
        """
        streams = Streams(0) if streams is None else streams
        routing = _laid(config, streams)
        host_N, like_H = _hosts(config.nodes, guests)
        clients = client_access(config, streams)
        up, down, latency = _links(config, clients, like_H).T
        return cls(
            names=(*(f"node {k}" for k in range(config.nodes)), *(each.name for each in guests)),
            clients=config.nodes,
            host_N=host_N,
            uplink_bps_H=up,
            downlink_bps_H=down,
            latency_s_H=latency,
            like_H=like_H,
            router_H=router_H(config, routing.backbone, like_H, streams),
            routing=routing,
            half_duplex=config.half_duplex,
            class_K=clients.class_K,
            traces=config.traces,
        )

    @property
    def backbone(self) -> Backbone:
        """The routers and the links between them."""
        return self.routing.backbone

    @property
    def capacity_bps_L(self) -> Float64:
        """Rate of each link, bit/s."""
        access = np.stack([self.uplink_bps_H, self.downlink_bps_H], axis=1).ravel()
        return np.concatenate([access, self.backbone.rate_bps_E])

    def link_name(self, link: int) -> str:
        """The link's name in words."""
        if link >= self._inner:
            return self.backbone.link_name(link - self._inner)
        host = self.names[self._first_node_H[link // 2]]
        if self.half_duplex:
            return f"link of {host}"
        return f"{'downlink' if link % 2 else 'uplink'} of {host}"

    def routes(self, sender_M: Nodes, receiver_M: Nodes) -> tuple[Int64, Int64]:
        """Links each of M messages between different hosts takes, as (ptr [M+1], links [ptr[-1]]).

        Uplink of the sender, links between routers, downlink of the receiver.
        """
        first, last = self.host_N[sender_M], self.host_N[receiver_M]
        ptr = np.zeros(len(first) + 1, np.int64)
        inner = len(self.backbone.tail_E) > 0
        if inner:
            source, target = self.router_H[first], self.router_H[last]
            np.cumsum(self.routing.hops_M(source, target) + 2, out=ptr[1:])
        else:
            ptr[1:] = np.arange(2, 2 * len(first) + 1, 2)
        links = np.empty(ptr[-1], np.int64)
        if inner:
            self.routing.write(links, ptr[1:] - 1, source, target, self._inner)
        links[ptr[:-1]] = 2 * first
        links[ptr[1:] - 1] = 2 * last + (0 if self.half_duplex else 1)
        return ptr, links

    def path_latency_s(self, sender_M: Nodes, receiver_M: Nodes) -> Float64:
        """One-way delay of M messages, s: half of each end's latency, and that of inner links."""
        first, last = self.host_N[sender_M], self.host_N[receiver_M]
        delay = (self.latency_s_H[first] + self.latency_s_H[last]) / 2
        if len(self.backbone.tail_E):
            delay += self.routing.latency_s_M(self.router_H[first], self.router_H[last])
        return np.asarray(delay)

    @cached_property
    def _first_node_H(self) -> Int64:
        """The first node on each host."""
        first: Int64 = np.unique(self.host_N, return_index=True)[1]
        return first

    @property
    def _inner(self) -> int:
        """The number of the first link between routers."""
        return 2 * len(self.uplink_bps_H)


def _laid(config: NetworkConfig, streams: Streams) -> Routing:
    problems = list(config.problems())
    if not problems:
        laid = config.lay(streams)
        if isinstance(laid, Routing):
            return laid
        problems = laid
    where = f"seed {streams.seed}"
    raise ScenarioError(Problem(("network", *loc), text, where) for loc, text in problems)


def _hosts(clients: int, guests: Sequence[Guest]) -> tuple[Int64, Int64]:
    """The host of each node, and the client whose link each host has (-1: a server's)."""
    host_N, like_H = list(range(clients)), list(range(clients))
    for guest in guests:
        if guest.host is not None:
            host_N.append(guest.host)
            continue
        host_N.append(len(like_H))
        like_H.append(-1 if guest.like is None else guest.like)
    return np.array(host_N, np.int64), np.array(like_H, np.int64)


def _links(config: NetworkConfig, clients: ClientAccess, like_H: Int64) -> Float64:
    """Uplink, downlink and latency of each host."""
    links_H3 = clients.links_K3[like_H]
    links_H3[like_H < 0] = clients.server(config.server)
    if config.half_duplex:
        links_H3[:, 1] = links_H3[:, 0]
    return links_H3
