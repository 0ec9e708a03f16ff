"""The largest coordinates, with their indices."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.indexed import IndexedSparse
from netsim.wire.largest import largest
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK

Bool = npt.NDArray[np.bool_]


@final
@dataclass(frozen=True)
class TopK(Compressor):
    """The ⌈``keep`` · n⌉ coordinates of largest magnitude of the whole vector, unscaled.

    Biased, so without an ω.
    """

    kept_bits: ClassVar[int] = FLOAT32.bits
    keep: float

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        return self.largest_of(x, x, shards)

    def largest_of(
        self, x: Deferred[Float32], by: Deferred[Float32], shards: Shards
    ) -> list[Payload[Any]]:
        """``x`` where the magnitude of ``by`` is largest."""
        marks = Deferred(lambda: largest(by.value(), RandK(self.keep).kept(shards.n)))

        def part(a: int) -> Deferred[Sparse]:
            return Deferred(lambda: marked(x.value(), marks.value(), shards, a))

        codec = IndexedSparse()
        return [codec.payload(part(a), int(shards.sizes[a])) for a in range(shards.count)]

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Sparse:
        sparse: Sparse = value
        return sparse

    def omega(self, shards: Shards) -> None:
        return None

    def payload_bits(self, shards: Shards) -> int:
        return 32 * RandK(self.keep).kept(shards.n)


def marked(x_N: Float32, marks_N: Bool, shards: Shards, a: int) -> Sparse:
    """Shard ``a`` of ``x_N`` where ``marks_N`` says so, zero elsewhere."""
    indices_k = np.flatnonzero(shards.take(marks_N, a))
    return Sparse(int(shards.sizes[a]), indices_k, shards.take(x_N, a)[indices_k])
