"""Every coordinate, one after the other."""

from dataclasses import dataclass
from typing import final

from netsim.wire.floats import FLOAT32, Float32, FloatFormat
from netsim.wire.payload import Encoded, FixedSizeCodec


@final
@dataclass(frozen=True, slots=True)
class Dense(FixedSizeCodec[Float32]):
    """A vector Float32[n] as n numbers of a format; payload and body are n · ``floats.bits``."""

    floats: FloatFormat = FLOAT32

    @property
    def codec_id(self) -> int:
        """0x10 and the code of the number format."""
        return 0x10 + self.floats.code

    def coordinates(self, value: Float32) -> int:
        """n."""
        return len(value)

    def payload_bits(self, n: int) -> int:
        """n numbers."""
        return n * self.floats.bits

    def body_bits(self, n: int) -> int:
        """The numbers and nothing else."""
        return self.payload_bits(n)

    def delivered(self, value: Float32) -> Float32:
        """The vector rounded to the format; the same array for float32."""
        return self.floats.round(value)

    def _pack(self, value: Float32) -> Encoded:
        return Encoded(self.floats.pack(value), self.body_bits(len(value)))

    def _unpack(self, body: memoryview, coordinates: int) -> Float32:
        return self.floats.unpack(body)
