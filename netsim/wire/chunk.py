"""One of the chunks a model is cut into."""

from dataclasses import dataclass
from typing import Final, final

from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.payload import Encoded, FixedSizeCodec

_INDEX_BITS: Final = 32


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Chunk ``index`` of a model, with ``values_n`` Float32[n]; n = 0 stands for a lost one."""

    index: int
    values_n: Float32


@final
@dataclass(frozen=True, slots=True)
class DenseChunk(FixedSizeCodec[Chunk]):
    """n float32 values, and which chunk they are, 32 bit of wire."""

    @property
    def codec_id(self) -> int:
        """0x41."""
        return 0x41

    def coordinates(self, value: Chunk) -> int:
        """n."""
        return len(value.values_n)

    def payload_bits(self, n: int) -> int:
        """n numbers."""
        return n * FLOAT32.bits

    def body_bits(self, n: int) -> int:
        """The chunk's index and the numbers."""
        return _INDEX_BITS + self.payload_bits(n)

    def delivered(self, value: Chunk) -> Chunk:
        """The same value: nothing is rounded."""
        return value

    def _pack(self, value: Chunk) -> Encoded:
        index = value.index.to_bytes(_INDEX_BITS // 8, "little")
        return Encoded(index + FLOAT32.pack(value.values_n), self.body_bits(len(value.values_n)))

    def _unpack(self, body: memoryview, coordinates: int) -> Chunk:
        head = _INDEX_BITS // 8
        return Chunk(int.from_bytes(body[:head], "little"), FLOAT32.unpack(body[head:]))
