"""All but the largest coordinates."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.compressors.top_k import marked
from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.largest import largest
from netsim.wire.masked import MaskedSparse
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK


@final
@dataclass(frozen=True)
class Pruned(Compressor):
    """Leaves out the ⌈``rate`` · n⌉ coordinates of largest magnitude of the whole vector.

    The last ``spared`` coordinates are none of the n and never left out.  Biased, so without
    an ω.
    """

    kept_bits: ClassVar[int] = FLOAT32.bits
    rate: float
    spared: int = 0

    def withheld(self, x_N: Float32) -> npt.NDArray[np.bool_]:
        """Bool[N]: the coordinates left out."""
        out_N = np.zeros(len(x_N), bool)
        n = len(x_N) - self.spared
        out_N[:n] = largest(x_N[:n], self._count(len(x_N)))
        return out_N

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        marks = Deferred(lambda: ~self.withheld(x.value()))

        def part(a: int) -> Deferred[Sparse]:
            return Deferred(lambda: marked(x.value(), marks.value(), shards, a))

        codec = MaskedSparse()
        if shards.count == 1:
            kept = shards.n - self._count(shards.n)
            return [codec.counted(part(0), shards.n, kept)]
        return [codec.payload(part(a), int(shards.sizes[a])) for a in range(shards.count)]

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Sparse:
        sparse: Sparse = value
        return sparse

    def omega(self, shards: Shards) -> None:
        return None

    def payload_bits(self, shards: Shards) -> int:
        return 32 * (shards.n - self._count(shards.n))

    def _count(self, size: int) -> int:
        return RandK(self.rate).kept(size - self.spared)
