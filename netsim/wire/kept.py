"""The kept values of a sparse vector whose mask both ends draw."""

from dataclasses import dataclass
from typing import Final, final

from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.header import HEADER_BITS, WireError
from netsim.wire.payload import Codec, Encoded, Sizes

_SEED_BYTES: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """``values_k`` Float32[k] of a vector of ``n``, under the mask of ``seed`` (64 bit)."""

    n: int
    values_k: Float32
    seed: int


@final
@dataclass(frozen=True, slots=True)
class KeptValues(Codec[Kept]):
    """The seed (64 bit, little-endian) and k float32 values; k follows from the length."""

    @property
    def codec_id(self) -> int:
        """0x50."""
        return 0x50

    def coordinates(self, value: Kept) -> int:
        """n."""
        return value.n

    def sizes(self, value: Kept) -> Sizes:
        """k numbers; the seed and the header are wire only."""
        payload = FLOAT32.bits * len(value.values_k)
        return Sizes(payload, HEADER_BITS + 8 * _SEED_BYTES + payload)

    def delivered(self, value: Kept) -> Kept:
        """The same value: nothing is rounded."""
        return value

    def _pack(self, value: Kept) -> Encoded:
        data = value.seed.to_bytes(_SEED_BYTES, "little") + FLOAT32.pack(value.values_k)
        return Encoded(data, 8 * len(data))

    def _unpack(self, body: memoryview, coordinates: int) -> Kept:
        if len(body) < _SEED_BYTES:
            raise WireError(f"{len(body)} bytes hold no seed")
        seed = int.from_bytes(body[:_SEED_BYTES], "little")
        values_k = FLOAT32.unpack(body[_SEED_BYTES:])
        if len(values_k) > coordinates:
            raise WireError(f"{len(values_k)} values kept of {coordinates}")
        return Kept(coordinates, values_k, seed)
