"""An underlay from a file."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import networkx as nx
from pydantic import ValidationError

from netsim.kernel.streams import Streams
from netsim.network.underlay.backbone import Backbone, Edge, UnderlayError
from netsim.network.underlay.base import Routed
from netsim.network.underlay.reading import Graph, read_graph
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.translate import translate
from netsim.scenario.units import Duration, Rate, duration

_MOST_FAULTS = 10


class _EdgeAttributes(Config):
    rate: Rate
    latency: Duration = duration("0 s")


class FromFile(Routed):
    """A graph from a file: ``.graphml``, ``.gml`` or ``.edgelist`` (as networkx writes them).

    ``path`` is relative to the working directory.  Each edge has an attribute ``rate``, a text
    with unit, and may have ``latency``; one of an undirected graph is a link in each
    direction, one of a directed graph a link in its own.  Where routers have an attribute
    ``clients``, the numbers of the clients that sit there (``0 3 7``), every client must be on
    one; otherwise nodes sit on all routers, as ``attach`` says.
    """

    kind: Literal["file"] = "file"
    path: Path

    def backbone(self, streams: Streams) -> Backbone:
        graph = read_graph(self.path)
        faults = list(_faults(graph))
        if faults:
            raise UnderlayError("; ".join(faults))
        number = {node: at for at, node in enumerate(graph)}
        edges = [
            Edge(number[a], number[b], each.rate, each.latency)
            for a, b, each in _edges(graph)
            if isinstance(each, _EdgeAttributes)
        ]
        sitting = {client: number[node] for node, client in _sitting(graph)}
        names = [str(node) for node in graph]
        return Backbone.of(names, edges, clients=sitting, both_ways=not graph.is_directed())

    def problems(self, nodes: int) -> Iterator[Finding]:
        try:
            graph = read_graph(self.path)
        except UnderlayError as error:
            yield ("path",), f"{self.path} {error}"
            return
        faults = [*_faults(graph), *_client_faults(graph, nodes)]
        for fault in faults[:_MOST_FAULTS]:
            yield ("path",), f"{self.path}: {fault}"
        if len(faults) > _MOST_FAULTS:
            yield ("path",), f"{self.path}: and {len(faults) - _MOST_FAULTS} more faults"


def _edges(graph: Graph) -> Iterator[tuple[Any, Any, _EdgeAttributes | list[str]]]:
    """The ends of each edge with its attributes, or what is wrong with them."""
    for a, b, data in graph.edges(data=True):
        known = {name: data[name] for name in _EdgeAttributes.model_fields if name in data}
        try:
            yield a, b, _EdgeAttributes.model_validate(known)
        except ValidationError as error:
            faults = translate(error, _EdgeAttributes, known)
            yield a, b, [".".join(map(str, each.loc)) + ": " + each.message for each in faults]


def _faults(graph: Graph) -> Iterator[str]:
    if graph.number_of_edges() == 0:
        yield "the graph has no edges"
    for a, b in nx.selfloop_edges(graph):
        yield f"edge {a}–{b}: leads back to its start"
    for a, b, each in _edges(graph):
        if isinstance(each, list):
            yield from (f"edge {a}–{b}: {fault}" for fault in each)
    for node, client in _sitting(graph):
        if client < 0:
            yield f"router {node}: clients must be numbers such as '0 3 7'"


def _sitting(graph: Graph) -> Iterator[tuple[Any, int]]:
    """Routers and the clients that sit there; client -1 where that cannot be read."""
    for node, written in graph.nodes(data="clients"):
        text = "" if written is None else str(written)
        if re.fullmatch(r"[\d\s,]*", text, re.ASCII):
            yield from ((node, int(number)) for number in re.findall(r"\d+", text))
        else:
            yield node, -1


def _client_faults(graph: Graph, nodes: int) -> Iterator[str]:
    named = [client for _, client in _sitting(graph) if client >= 0]
    for client in sorted(set(named)):
        if client >= nodes:
            yield f"there is no client {client}; clients are 0 to {nodes - 1}"
        elif named.count(client) > 1:
            yield f"client {client} is on {named.count(client)} routers"
    missing = sorted(set(range(nodes)) - set(named)) if named else []
    if missing:
        yield f"client {missing[0]} is on no router ({len(missing)} of {nodes} are on none)"
