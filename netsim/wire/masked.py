"""Sparse vectors whose coordinates a bitmap names."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32
from netsim.wire.header import HEADER_BITS, WireError
from netsim.wire.payload import Codec, Encoded, Payload, Sizes
from netsim.wire.sparse import Sparse


@final
@dataclass(frozen=True, slots=True)
class MaskedSparse(Codec[Sparse]):
    """The kept values, float32, and a bitmap of all coordinates, which is wire only."""

    @property
    def codec_id(self) -> int:
        """0x54."""
        return 0x54

    def coordinates(self, value: Sparse) -> int:
        """The length of the whole vector."""
        return value.n

    def sizes(self, value: Sparse) -> Sizes:
        """The exact sizes of the message that carries ``value``."""
        return self.sizes_for(value.n, len(value.indices_k))

    def sizes_for(self, n: int, count: int) -> Sizes:
        """The exact sizes for ``count`` kept of ``n`` coordinates, whichever they are."""
        payload = FLOAT32.bits * count
        return Sizes(payload, HEADER_BITS + payload + n)

    def counted(self, value: Deferred[Sparse], n: int, count: int) -> Payload[Sparse]:
        """The payload of a value known to keep ``count`` coordinates, computed when needed."""
        return Payload(value, *self.sizes_for(n, count), self)

    def delivered(self, value: Sparse) -> Sparse:
        """The same value; a seed is not sent."""
        return replace(value, seed=None)

    def _pack(self, value: Sparse) -> Encoded:
        bitmap = np.zeros(value.n, np.uint8)
        bitmap[value.indices_k] = 1
        data = FLOAT32.pack(value.values_k) + np.packbits(bitmap).tobytes()
        return Encoded(data, FLOAT32.bits * len(value.values_k) + value.n)

    def _unpack(self, body: memoryview, coordinates: int) -> Sparse:
        tail = -(-coordinates // 8)
        if len(body) < tail or (len(body) - tail) % (FLOAT32.bits // 8):
            raise WireError(f"{len(body)} bytes hold no bitmap of {coordinates} coordinates")
        split = len(body) - tail
        bitmap = np.unpackbits(np.frombuffer(body[split:], np.uint8), count=coordinates)
        indices_k, values_k = np.flatnonzero(bitmap), FLOAT32.unpack(body[:split])
        if len(indices_k) != len(values_k):
            raise WireError(f"{len(values_k)} values for a bitmap of {len(indices_k)}")
        return Sparse(coordinates, indices_k, values_k)
