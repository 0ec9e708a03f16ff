"""Vectors on a grid: a whole number a coordinate, and one scale for all."""

from dataclasses import dataclass
from typing import final

import numpy as np

from netsim.wire.bits import Int64, fixed_width, read_fixed_width
from netsim.wire.floats import FLOAT32
from netsim.wire.header import WireError
from netsim.wire.payload import Encoded, FixedSizeCodec


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """``levels_n`` Int64[n] and the ``scale`` (a float32's value) they are read with."""

    levels_n: Int64
    scale: float


@final
@dataclass(frozen=True, slots=True)
class FixedWidthLevels(FixedSizeCodec[Levels]):
    """Levels from ``lowest`` to ``highest`` in ⌈log₂ of their number⌉ bits each.

    The scale, 32 bit, is wire only.
    """

    lowest: int
    highest: int

    @property
    def codec_id(self) -> int:
        """0x51."""
        return 0x51

    @property
    def width(self) -> int:
        """Bits a level."""
        return (self.highest - self.lowest).bit_length()

    def coordinates(self, value: Levels) -> int:
        """n."""
        return len(value.levels_n)

    def payload_bits(self, n: int) -> int:
        """n levels."""
        return n * self.width

    def body_bits(self, n: int) -> int:
        """The scale and the levels."""
        return FLOAT32.bits + self.payload_bits(n)

    def delivered(self, value: Levels) -> Levels:
        """The same value: nothing is rounded."""
        return value

    def _pack(self, value: Levels) -> Encoded:
        head = FLOAT32.pack(np.array([value.scale], np.float32))
        bits = fixed_width(value.levels_n - self.lowest, self.width)
        return Encoded(head + np.packbits(bits).tobytes(), self.body_bits(len(value.levels_n)))

    def _unpack(self, body: memoryview, coordinates: int) -> Levels:
        if 8 * len(body) < self.body_bits(coordinates):
            raise WireError(f"{coordinates} levels do not fit into {len(body)} bytes")
        scale = float(FLOAT32.unpack(body, 1)[0])
        bits = np.unpackbits(np.frombuffer(body[FLOAT32.bits // 8 :], np.uint8))
        levels_n = read_fixed_width(bits, coordinates, self.width) + self.lowest
        if len(levels_n) and levels_n.max() > self.highest:
            raise WireError(f"a level above {self.highest}")
        return Levels(levels_n, scale)
