"""How Shatter cuts a model into chunks, and how a node averages the chunks it gets back."""

from collections.abc import Iterable
from typing import Literal, final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.network.topology import Int64
from netsim.protocols.vector import Vector, zeros
from netsim.wire.chunk import Chunk
from netsim.wire.shards import ContiguousShards, RandomShards, Shards

Strategy = Literal["static", "linear", "with_replacement", "dynamic"]


@final
class Samples:
    """Chunks drawn each on its own: a coordinate may be in several of them, or in none."""

    def __init__(self, n: int, sizes: Int64, rng: np.random.Generator) -> None:
        drawn = (rng.choice(n, size, replace=False, shuffle=False) for size in sizes.tolist())
        self._chosen = [np.sort(each).astype(np.int64) for each in drawn]

    def selector(self, a: int) -> Int64:
        """The coordinates of chunk ``a``, ascending."""
        return self._chosen[a]


@final
class Chunking:
    """The chunks of each round, ``count`` of ``n`` coordinates, the same at every node.

    Strategies of Shatter: ``static`` cuts once at random, by a shared seed (Section 4.2);
    those of Appendix C are ``linear`` (consecutive coordinates), ``with_replacement`` (each
    chunk drawn on its own, anew each round; no coordinate twice within a chunk) and ``dynamic``
    (cut at random anew each round).  ``sizes``, those of the chunks, differ by at most one and
    are the same in every round and strategy.
    """

    def __init__(self, strategy: Strategy, n: int, count: int, streams: Streams) -> None:
        self.sizes = ContiguousShards(n, count).sizes
        self._strategy = strategy
        self._n = n
        self._streams = streams
        self._kept: dict[int, Shards | Samples] = {}

    def of(self, round: int) -> Shards | Samples:
        """The chunks of a round, drawn when their coordinates are first needed."""
        if self._strategy in ("static", "linear"):
            round = 0
        if round not in self._kept:
            self._kept = {old: kept for old, kept in self._kept.items() if old >= round - 1}
            self._kept[round] = self._drawn(round)
        return self._kept[round]

    def _drawn(self, round: int) -> Shards | Samples:
        count, streams = len(self.sizes), self._streams
        if self._strategy == "linear":
            return ContiguousShards(self._n, count)
        if self._strategy == "static":
            return RandomShards(self._n, count, streams.rng("chunks", count))
        rng = streams.rng("chunks", count, round)
        if self._strategy == "dynamic":
            return RandomShards(self._n, count, rng)
        return Samples(self._n, self.sizes, rng)


def by_copies(own: Vector, arrived: Iterable[Chunk], chunks: Shards | Samples) -> Vector:
    """Frequency-weighted averaging: every copy of a parameter, the own one too, counts the same."""
    total, copies_n = own.copy(), np.ones(len(own), np.float32)
    for chunk in arrived:
        where = chunks.selector(chunk.index)
        total[where] += chunk.values_n
        copies_n[where] += 1
    total /= copies_n
    return total


def by_degree(n: int, arrived: Iterable[Chunk], chunks: Shards | Samples, degree: int) -> Vector:
    """All copies of a parameter that arrived, summed and divided by ``degree``."""
    total = zeros(n)
    for chunk in arrived:
        total[chunks.selector(chunk.index)] += chunk.values_n
    total /= np.float32(degree)
    return total
