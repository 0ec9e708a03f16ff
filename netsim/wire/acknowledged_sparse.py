"""A sparse mean under a shared mask together with whose contributions it holds."""

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from netsim.wire.header import WireError
from netsim.wire.payload import Encoded, FixedSizeCodec
from netsim.wire.shared_seed import SharedSeedSparse
from netsim.wire.sparse import Sparse


@dataclass(frozen=True, slots=True, eq=False)
class AcknowledgedMean:
    """``mean`` and ``used_K``, Bool[K]: whose pieces went into it."""

    mean: Sparse
    used_K: npt.NDArray[np.bool_]


@final
@dataclass(frozen=True, slots=True)
class AcknowledgedSparse(FixedSizeCodec[AcknowledgedMean]):
    """A bitmap of ``clients`` bits, padded to bytes, and the body of ``sparse``.

    The bitmap is wire only.
    """

    sparse: SharedSeedSparse
    clients: int

    @property
    def codec_id(self) -> int:
        """0x55."""
        return 0x55

    def coordinates(self, value: AcknowledgedMean) -> int:
        """The length of the whole vector."""
        return value.mean.n

    def payload_bits(self, n: int) -> int:
        """The kept values."""
        return self.sparse.payload_bits(n)

    def body_bits(self, n: int) -> int:
        """The bitmap, the seed and the kept values."""
        return 8 * self._bitmap_bytes + self.sparse.body_bits(n)

    def delivered(self, value: AcknowledgedMean) -> AcknowledgedMean:
        """The same value: nothing is rounded."""
        return value

    @property
    def _bitmap_bytes(self) -> int:
        return -(-self.clients // 8)

    def _pack(self, value: AcknowledgedMean) -> Encoded:
        data, bits = self.sparse.pack_body(value.mean)
        bitmap = np.packbits(value.used_K).tobytes()
        return Encoded(bitmap + data, 8 * len(bitmap) + bits)

    def _unpack(self, body: memoryview, coordinates: int) -> AcknowledgedMean:
        if len(body) < self._bitmap_bytes:
            raise WireError(f"{len(body)} bytes hold no bitmap of {self.clients} clients")
        bitmap = np.frombuffer(body[: self._bitmap_bytes], np.uint8)
        used_K = np.unpackbits(bitmap, count=self.clients).astype(bool)
        mean = self.sparse.unpack_body(body[self._bitmap_bytes :], coordinates)
        return AcknowledgedMean(mean, used_K)
