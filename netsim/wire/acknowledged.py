"""A dense part of the model together with whose contributions it holds."""

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.payload import Encoded, FixedSizeCodec


@dataclass(frozen=True, slots=True, eq=False)
class Acknowledged:
    """``values_n`` is Float32[n]; ``used_K`` is Bool[K]: whose shards went into them."""

    values_n: Float32
    used_K: npt.NDArray[np.bool_]


@final
@dataclass(frozen=True, slots=True)
class AcknowledgedDense(FixedSizeCodec[Acknowledged]):
    """n float32 values and a bitmap of ``clients`` bits, which is no payload but wire."""

    clients: int

    @property
    def codec_id(self) -> int:
        """0x40."""
        return 0x40

    def coordinates(self, value: Acknowledged) -> int:
        """n."""
        return len(value.values_n)

    def payload_bits(self, n: int) -> int:
        """n numbers."""
        return n * FLOAT32.bits

    def body_bits(self, n: int) -> int:
        """The numbers and one bit a client."""
        return self.payload_bits(n) + self.clients

    def delivered(self, value: Acknowledged) -> Acknowledged:
        """The same value: nothing is rounded."""
        return value

    def _pack(self, value: Acknowledged) -> Encoded:
        assert len(value.used_K) == self.clients
        data = FLOAT32.pack(value.values_n) + np.packbits(value.used_K).tobytes()
        return Encoded(data, self.body_bits(len(value.values_n)))

    def _unpack(self, body: memoryview, coordinates: int) -> Acknowledged:
        values = FLOAT32.unpack(body, coordinates)
        bits = np.frombuffer(body[coordinates * FLOAT32.bits // 8 :], np.uint8)
        return Acknowledged(values, np.unpackbits(bits, count=self.clients).astype(bool))
