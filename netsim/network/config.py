"""The ``network:`` section of a scenario."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.rates.classes import NodeClass, class_problems
from netsim.network.rates.draws import Latencies, Rates, draw_problems
from netsim.network.steps import TraceConfig, trace_problems
from netsim.network.transport.config import TRANSPORTS, Fluid, Transport
from netsim.network.underlay.access import AccessOnly
from netsim.network.underlay.backbone import UnderlayError
from netsim.network.underlay.base import Underlay
from netsim.network.underlay.kinds import UNDERLAYS
from netsim.network.underlay.routing import Routing
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.kinds import one_of
from netsim.scenario.suggest import hint
from netsim.scenario.units import Duration, Rate

Problem = Finding


class Access(Config):
    """The access link of one node; what is left out is that of the other nodes.

    ``router`` names the router of the underlay that the node sits on.
    """

    uplink: Rate | None = None
    downlink: Rate | None = None
    latency: Duration | None = None
    router: str | None = None


class NetworkConfig(Config):
    """Clients, their access links, the underlay between them, and how transfers share it all.

    ``uplink``, ``downlink`` and ``latency`` (0 s if not given) are the same for all clients, a
    list with one value a client, or a distribution; or ``classes`` give all three, to shares of
    the clients.  ``latency`` is the one-way delay between two nodes that have it: each of the
    two access links on a path carries half of its node's latency; links of the underlay add
    theirs in full.  With ``half_duplex`` one link of rate ``uplink`` serves both directions of
    a node, and ``downlink`` is left out; else both are needed, here or in all ``classes``.
    ``server`` is, where a protocol has one and the scenario does not say, like the median
    client.  ``traces`` change rates over time.  ``count`` says which size of a payload the
    links carry: ``wire`` (all that is encoded) or ``payload`` (values only, as the papers
    count).
    """

    nodes: int = Field(ge=1, le=1_000_000)
    uplink: Rates | None = None
    downlink: Rates | None = None
    latency: Latencies | None = None
    classes: tuple[NodeClass, ...] = ()
    overrides: dict[int, Access] = Field(default_factory=dict)
    server: Access = Access()
    half_duplex: bool = False
    underlay: Annotated[Underlay, one_of(*UNDERLAYS)] = AccessOnly()
    traces: tuple[TraceConfig, ...] = ()
    transport: Annotated[Transport, one_of(*TRANSPORTS)] = Fluid()
    sharing: Literal["max_min", "fifo", "optimal"] = "max_min"
    count: Literal["wire", "payload"] = "wire"

    def problems(self, streams: Streams | None = None) -> Iterator[Problem]:
        """What pydantic cannot see; with the scenario's ``streams`` also of what is drawn."""
        yield from self._rate_problems()
        yield from self._duplex_problems()
        if self.transport != Fluid() and self.sharing != "max_min":
            yield ("transport",), f"{self.transport.kind} needs sharing: max_min"
        for node in self.overrides:
            if not 0 <= node < self.nodes:
                yield ("overrides", node), f"no node {node}; nodes are 0 to {self.nodes - 1}"
        for loc, text in trace_problems(self.traces, self.nodes, self.half_duplex):
            yield ("traces", *loc), text
        found = [(("underlay", *loc), text) for loc, text in self.underlay.problems(self.nodes)]
        yield from found
        if not found and streams is not None:
            laid = self.lay(streams)
            yield from laid if isinstance(laid, list) else ()

    def _rate_problems(self) -> Iterator[Problem]:
        for loc, text in class_problems(self.classes, self.nodes):
            yield ("classes", *loc), text
        for name in ("uplink", "downlink", "latency"):
            given = getattr(self, name)
            if self.classes and given is not None:
                yield (name,), f"the classes give it; leave {name} out, or the classes"
            elif given is not None:
                for loc, text in draw_problems(given, self.nodes):
                    yield (name, *loc), text
        if not self.classes and self.uplink is None:
            yield ("uplink",), "missing key 'uplink' (or 'classes')"

    def _duplex_problems(self) -> Iterator[Problem]:
        """With half duplex a downlink may only repeat the uplink, else it must be given."""
        every: list[tuple[tuple[str | int, ...], NetworkConfig | NodeClass | Access]] = [
            (("classes", at), each) for at, each in enumerate(self.classes)
        ]
        if not self.classes:
            every.append(((), self))
        if self.half_duplex:
            every += [(("overrides", node), own) for node, own in self.overrides.items()]
            every.append((("server",), self.server))
        for loc, each in every:
            if self.half_duplex and each.downlink not in (None, each.uplink):
                yield (*loc, "downlink"), "half_duplex has one link, of rate uplink; leave it out"
            elif not self.half_duplex and each.downlink is None:
                yield (*loc, "downlink"), "missing key 'downlink'"

    def lay(self, streams: Streams) -> Routing | list[Problem]:
        """The routes of the underlay, or why there are none; ``problems()`` must be empty."""
        try:
            routing = Routing(self.underlay.backbone(streams))
        except UnderlayError as error:
            return [(("underlay",), str(error))]
        routers = routing.backbone.routers
        found: list[Problem] = []
        stated = [(("overrides", node), own.router) for node, own in self.overrides.items()]
        for loc, router in [*stated, (("server",), self.server.router)]:
            if router is not None and router not in routers:
                near = hint(router, routers) or f"; one is {routers[0]!r}"
                found.append(((*loc, "router"), f"unknown router {router!r}{near}"))
        return found or routing
