"""Routes of least latency between routers, worked out when first asked for."""

from typing import Any

import numpy as np
import numpy.typing as npt

from netsim.network.sharing.base import Float64, Int64
from netsim.network.underlay.backbone import NANOSECOND, Backbone, UnderlayError

_EXACT = 2**53
"""Whole numbers below this are exact in a float."""


class Routing:
    """Least-latency routes on a backbone.  Shapes: M queries, R routers, S sources seen so far.

    Of routes with equal latency those with fewest hops are taken; where several links still
    lead to a router equally well, the one at place (source + router) modulo their number, in
    the order of the links.  So routes are always the same, and equal ones are all used, as a
    fat tree needs.

    Raises `UnderlayError` if some router cannot reach another.
    """

    def __init__(self, backbone: Backbone) -> None:
        self.backbone = backbone
        self._routers = len(backbone.routers)
        # Every link costs its latency and one hop; hops never add up to a nanosecond.
        self._cost_E = backbone.latency_ns_E.astype(np.float64) * self._routers + 1
        self._by_head = np.argsort(backbone.head_E, kind="stable")
        self._row_R = np.full(self._routers, -1, np.int64)
        self._via_SR = np.empty((0, self._routers), np.int32)
        self._hops_SR = np.empty((0, self._routers), np.int32)
        self._latency_s_SR = np.empty((0, self._routers), np.float64)
        self._rows = 0
        if self._routers > 1:
            self._graph = self._cheapest_links()
            self._check()

    def hops_M(self, source_M: Int64, target_M: Int64) -> Int64:
        """Links on the route of each pair of routers."""
        row_M = self._seen(source_M)
        return self._hops_SR[row_M, target_M].astype(np.int64)

    def latency_s_M(self, source_M: Int64, target_M: Int64) -> Float64:
        """Latency of the route of each pair of routers, s."""
        row_M = self._seen(source_M)
        return np.asarray(self._latency_s_SR[row_M, target_M])

    def write(
        self, links: Int64, end_M: Int64, source_M: Int64, target_M: Int64, first: int
    ) -> None:
        """Write each pair's route into ``links``, its last link at ``end_M - 1``.

        The backbone's links are numbered from ``first``.
        """
        row_M, here, at = self._seen(source_M), target_M.copy(), end_M - 1
        left = np.flatnonzero(here != source_M)
        while len(left):
            via = self._via_SR[row_M[left], here[left]]
            links[at[left]] = first + via
            here[left] = self.backbone.tail_E[via]
            at[left] -= 1
            left = left[here[left] != source_M[left]]

    def _seen(self, source_M: Int64) -> Int64:
        """The row of each source, new ones computed."""
        rows = self._row_R[source_M]
        if (rows < 0).any():
            self._add(np.unique(source_M[rows < 0]))
            rows = self._row_R[source_M]
        return rows

    def _add(self, sources: Int64) -> None:
        if self._rows + len(sources) > len(self._via_SR):
            self._reserve(max(self._rows + len(sources), 2 * self._rows))
        costs_SR = self._costs(self._graph, sources)
        for source, cost_R in zip(sources.tolist(), costs_SR, strict=True):
            ns_R, hops_R = np.divmod(cost_R, self._routers)
            self._via_SR[self._rows] = self._via(source, cost_R)
            self._hops_SR[self._rows] = hops_R
            self._latency_s_SR[self._rows] = ns_R / round(1 / NANOSECOND)
            self._row_R[source] = self._rows
            self._rows += 1

    def _reserve(self, rows: int) -> None:
        for name in ("_via_SR", "_hops_SR", "_latency_s_SR"):
            old: npt.NDArray[Any] = getattr(self, name)
            new = np.empty((min(rows, self._routers), self._routers), old.dtype)
            new[: self._rows] = old[: self._rows]
            setattr(self, name, new)

    @staticmethod
    def _costs(graph: Any, sources: Int64) -> Float64:
        """Cost of the cheapest route from each source to each router."""
        from scipy.sparse.csgraph import dijkstra

        return dijkstra(graph, indices=sources)

    def _via(self, source: int, cost_R: Float64) -> npt.NDArray[np.int32]:
        """For each router the last link of the route to it; -1 for the source."""
        tail, head = self.backbone.tail_E, self.backbone.head_E
        fits = cost_R[tail] + self._cost_E == cost_R[head]
        links = self._by_head[fits[self._by_head]]
        count_R = np.bincount(head[links], minlength=self._routers)
        first_R = np.cumsum(count_R) - count_R
        router = np.flatnonzero(count_R)
        via = np.full(self._routers, -1, np.int32)
        via[router] = links[first_R[router] + (source + router) % count_R[router]]
        return via

    def _cheapest_links(self) -> Any:
        """Costs as a sparse matrix; of parallel links the cheapest."""
        from scipy.sparse import csr_array

        tail, head = self.backbone.tail_E, self.backbone.head_E
        order = np.lexsort((self._cost_E, head, tail))
        pair = tail[order] * self._routers + head[order]
        order = order[np.diff(pair, prepend=-1) != 0]
        shape = self._routers, self._routers
        return csr_array((self._cost_E[order], (tail[order], head[order])), shape=shape)

    def _check(self) -> None:
        """All routers reach router 0 and are reached from it, at costs that stay exact."""
        first = np.zeros(1, np.int64)
        there, back = self._costs(self._graph, first)[0], self._costs(self._graph.T, first)[0]
        names = self.backbone.routers
        for cost_R, way in ((there, "from '{0}' to '{1}'"), (back, "from '{1}' to '{0}'")):
            lost = np.flatnonzero(np.isinf(cost_R))
            if len(lost):
                link = way.format(names[0], names[int(lost[0])])
                raise UnderlayError(f"the graph is not connected: no way {link}")
        if there.max() + back.max() >= _EXACT:
            raise UnderlayError("the latencies of the links are too large to compare routes")
