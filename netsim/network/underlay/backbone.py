"""Routers and the directed links between them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from netsim.network.sharing.base import Float64, Int64

NANOSECOND = 1e-9


class UnderlayError(ValueError):
    """An underlay that cannot carry the nodes' traffic; says why."""


@dataclass(frozen=True)
class Edge:
    """A link between two routers, by number, with its rate and latency in each direction."""

    one: int
    other: int
    rate_bps: float
    latency_s: float

    @property
    def latency_ns(self) -> int:
        """Whole nanoseconds; raises `UnderlayError` if they are too many to count."""
        latency_ns = self.latency_s / NANOSECOND
        if latency_ns >= 2**53:
            raise UnderlayError(f"a link's latency of {self.latency_s:g} s is too long")
        return round(latency_ns)


@dataclass(frozen=True, eq=False)
class Backbone:
    """R routers and E directed links.

    Link e goes from router ``tail_E[e]`` to ``head_E[e]``; latencies are whole nanoseconds.
    Nodes sit on ``doors`` (routers by number) unless ``clients`` says on which router a client
    sits.
    """

    routers: tuple[str, ...]
    tail_E: Int64
    head_E: Int64
    rate_bps_E: Float64
    latency_ns_E: Int64
    doors: Int64
    clients: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        routers: Sequence[str],
        edges: Iterable[Edge],
        doors: Sequence[int] | None = None,
        clients: Mapping[int, int] | None = None,
        both_ways: bool = True,
    ) -> "Backbone":
        """Edges become two links, there and back, unless each stands for one direction.

        Nodes may sit on all routers where ``doors`` is None.
        """
        links = [
            (*ends, edge.rate_bps, edge.latency_ns)
            for edge in edges
            for ends in ((edge.one, edge.other), (edge.other, edge.one))[: 1 + both_ways]
        ]
        tail, head, rate, latency = zip(*links, strict=True) if links else ((),) * 4
        return cls(
            tuple(routers),
            np.array(tail, np.int64),
            np.array(head, np.int64),
            np.array(rate, np.float64),
            np.array(latency, np.int64),
            np.array(range(len(routers)) if doors is None else doors, np.int64),
            clients or {},
        )

    def link_name(self, link: int) -> str:
        """A link in words."""
        tail, head = int(self.tail_E[link]), int(self.head_E[link])
        return f"link {self.routers[tail]}–{self.routers[head]}"
