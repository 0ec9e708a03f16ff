"""Sparse vectors that say which coordinates they hold."""

from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from netsim.wire.floats import FLOAT32, FloatFormat
from netsim.wire.header import HEADER_BITS, WireError
from netsim.wire.payload import Codec, Encoded, Payload, Sizes
from netsim.wire.positions import pack_positions, position_bits, unpack_positions
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import Int64

COUNT_BITS: Final = 32
_COUNT_BYTES: Final = COUNT_BITS // 8


@final
@dataclass(frozen=True, slots=True)
class IndexedSparse(Codec[Sparse]):
    """Values with explicit indices.

    The body is the number k of values (32 bit), the k values, and their positions as
    ``netsim.wire.positions`` codes them.  Its size follows from the indices.
    """

    floats: FloatFormat = FLOAT32

    @property
    def codec_id(self) -> int:
        """0x30 and the code of the number format."""
        return 0x30 + self.floats.code

    def coordinates(self, value: Sparse) -> int:
        """The length of the whole vector."""
        return value.n

    def sizes(self, value: Sparse) -> Sizes:
        """The exact sizes of the message that carries ``value``."""
        return self.sizes_at(value.n, value.indices_k)

    def sizes_at(self, n: int, indices_k: Int64) -> Sizes:
        """The exact sizes for ``indices_k`` of ``n`` coordinates, whatever the values."""
        payload_bits = len(indices_k) * self.floats.bits
        body_bits = COUNT_BITS + payload_bits + position_bits(n, indices_k)
        return Sizes(payload_bits, HEADER_BITS + body_bits)

    def volume(self, n: int, indices_k: Int64) -> Payload[Sparse]:
        """A payload at ``indices_k`` of ``n`` coordinates without a value."""
        return Payload(None, *self.sizes_at(n, indices_k), self)

    def delivered(self, value: Sparse) -> Sparse:
        """The vector with its values rounded to the format; a seed is not sent."""
        return replace(value, values_k=self.floats.round(value.values_k), seed=None)

    def _pack(self, value: Sparse) -> Encoded:
        count = len(value.values_k)
        positions = pack_positions(value.n, value.indices_k)
        head = count.to_bytes(_COUNT_BYTES, "little") + self.floats.pack(value.values_k)
        return Encoded(head + np.packbits(positions).tobytes(), 8 * len(head) + len(positions))

    def _unpack(self, body: memoryview, coordinates: int) -> Sparse:
        count = int.from_bytes(body[:_COUNT_BYTES], "little")
        end = _COUNT_BYTES + count * self.floats.bits // 8
        if end >= len(body):
            raise WireError(f"{count} values do not fit into the message")
        values_k = self.floats.unpack(body[_COUNT_BYTES:end])
        positions = np.unpackbits(np.frombuffer(body[end:], np.uint8))
        return Sparse(coordinates, unpack_positions(positions, coordinates, count), values_k)
