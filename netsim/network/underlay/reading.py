"""Graphs from files: GraphML, GML and edge lists."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx

from netsim.network.underlay.backbone import UnderlayError
from netsim.scenario.unreadable import unreadable

if TYPE_CHECKING:
    Graph = nx.Graph[Any]
else:
    Graph = nx.Graph

_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def read_graph(path: Path) -> Graph:
    """The graph in a file, by the suffix of its name; raises `UnderlayError`.

    An edge list has a line ``a b {'rate': '1 Gbit/s', 'latency': '5 ms'}`` for each edge (as
    networkx writes it); what follows a ``#`` is a comment.
    """
    readers: dict[str, Callable[[Path], Any]] = {
        ".graphml": nx.read_graphml,
        ".gml": nx.read_gml,
        ".edgelist": _edge_list,
    }
    if path.suffix not in readers:
        raise UnderlayError(f"unknown suffix '{path.suffix}'; known: {', '.join(readers)}")
    try:
        graph: Graph = readers[path.suffix](path)
        return graph
    except OSError as error:
        raise UnderlayError(unreadable(path, error)) from None
    except (nx.NetworkXException, SyntaxError, *_MALFORMED) as error:
        what = " ".join(str(error).split()) or type(error).__name__
        raise UnderlayError(f"is no {path.suffix[1:]} file that networkx reads: {what}") from None


def _edge_list(path: Path) -> Any:
    graph: Any = nx.MultiGraph()
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        parts = line.split("#", 1)[0].split(maxsplit=2)
        if parts:
            graph.add_edge(*parts[:2], **_attributes(number, parts))
    return graph


def _attributes(number: int, parts: list[str]) -> dict[str, Any]:
    try:
        _, _, written = parts
        attributes = ast.literal_eval(written)
        if isinstance(attributes, dict) and all(isinstance(name, str) for name in attributes):
            return attributes
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    raise ValueError(f"line {number} is not of the form: a b {{'rate': '1 Gbit/s'}}")
