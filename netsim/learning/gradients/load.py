"""How much there is to compute in a step."""

from dataclasses import dataclass

from netsim.learning.base import Int64


@dataclass(frozen=True)
class Load:
    """``batch_K`` Int64: the samples of a step of each client."""

    batch_K: Int64

    @property
    def largest(self) -> int:
        """The largest batch."""
        return int(self.batch_K.max())

    @property
    def even(self) -> bool:
        """Whether at least half of what is computed counts when all batches are padded."""
        return 2 * int(self.batch_K.sum()) >= self.largest * len(self.batch_K)

    def width(self, widest: int) -> int:
        """Lanes of a block, at most ``widest`` and at least one, so that blocks are full."""
        blocks = -(-len(self.batch_K) // max(1, widest))
        return -(-len(self.batch_K) // blocks)
