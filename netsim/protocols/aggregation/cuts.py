"""The partition of the model in each round."""

from typing import final

from netsim.kernel.streams import Streams
from netsim.network.topology import Int64
from netsim.protocols.aggregation.config import Masks
from netsim.wire.shards import (
    BlockShards,
    ContiguousShards,
    InterleavedShards,
    RandomShards,
    Shards,
)


@final
class Cuts:
    """``n`` coordinates for the owners of ``sizes_A`` blocks each, never within a block.

    The same at every client; redrawn each round where ``redraw``.
    """

    def __init__(
        self,
        n: int,
        sizes_A: Int64,
        block: int,
        masks: Masks,
        redraw: bool,
        streams: Streams,
    ) -> None:
        self._n, self._sizes_A, self._block = n, sizes_A, block
        self._masks, self._redraw, self._streams = masks, redraw, streams
        self.fixed = self._cut(0)
        self._recent: dict[int, Shards] = {}

    def of(self, round: int) -> Shards:
        """The partition of the round."""
        if not self._redraw:
            return self.fixed
        if round not in self._recent:
            self._recent = {old: cut for old, cut in self._recent.items() if old >= round - 1}
            self._recent[round] = self._cut(round)
        return self._recent[round]

    def _cut(self, round: int) -> Shards:
        if self._block == 1:
            return self._blocks(self._n, round)
        count = -(-self._n // self._block)
        return BlockShards(self._n, self._block, self._blocks(count, round))

    def _blocks(self, n: int, round: int) -> Shards:
        if self._masks == "contiguous":
            return ContiguousShards(n, len(self._sizes_A), self._sizes_A)
        if self._masks == "interleaved":
            return InterleavedShards(n, len(self._sizes_A))
        rng = self._streams.rng("partition", round)
        return RandomShards(n, len(self._sizes_A), rng, self._sizes_A)
