"""Sparse vectors whose indices cost one seed."""

from dataclasses import dataclass, replace
from typing import Final, final

from netsim.wire.floats import FLOAT32, Float32, FloatFormat
from netsim.wire.header import WireError
from netsim.wire.payload import Encoded, FixedSizeCodec
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK

SEED_BITS: Final = 64
_SEED_BYTES: Final = SEED_BITS // 8


@final
@dataclass(frozen=True, slots=True)
class SharedSeedSparse(FixedSizeCodec[Sparse]):
    """Kept values only: the receiver draws the same mask from the seed in the message.

    The body is the seed (64 bit, little-endian) and the k kept values.
    """

    rand_k: RandK
    floats: FloatFormat = FLOAT32

    @property
    def codec_id(self) -> int:
        """0x20 and the code of the number format."""
        return 0x20 + self.floats.code

    def compress(self, x_N: Float32, seed: int) -> Sparse:
        """``x_N`` under the mask of ``seed`` (0 ≤ seed < 2⁶⁴), scaled to be unbiased."""
        indices_k = self.rand_k.seeded_mask(len(x_N), seed)
        return Sparse(len(x_N), indices_k, self.rand_k.compress(x_N, indices_k), seed)

    def coordinates(self, value: Sparse) -> int:
        """The length of the whole vector."""
        return value.n

    def payload_bits(self, n: int) -> int:
        """The kept values."""
        return self.rand_k.kept(n) * self.floats.bits

    def body_bits(self, n: int) -> int:
        """The kept values and the seed."""
        return SEED_BITS + self.payload_bits(n)

    def delivered(self, value: Sparse) -> Sparse:
        """The vector with its values rounded to the format."""
        return replace(value, values_k=self.floats.round(value.values_k))

    def pack_body(self, value: Sparse) -> Encoded:
        """The body alone, for a codec that sends more beside it."""
        return self._pack(value)

    def unpack_body(self, body: memoryview, coordinates: int) -> Sparse:
        """What stands in such a body; raises ``WireError`` or ``ValueError`` if nothing does."""
        return self._unpack(body, coordinates)

    def _pack(self, value: Sparse) -> Encoded:
        if value.seed is None or not 0 <= value.seed < 1 << SEED_BITS:
            raise WireError(f"{value.seed} is no seed of {SEED_BITS} bits")
        seed = value.seed.to_bytes(_SEED_BYTES, "little")
        return Encoded(seed + self.floats.pack(value.values_k), self.body_bits(value.n))

    def _unpack(self, body: memoryview, coordinates: int) -> Sparse:
        seed = int.from_bytes(body[:_SEED_BYTES], "little")
        values_k = self.floats.unpack(body[_SEED_BYTES:])
        if len(values_k) != self.rand_k.kept(coordinates):
            raise WireError(f"{len(values_k)} values, where {self} keeps another number")
        return Sparse(coordinates, self.rand_k.seeded_mask(coordinates, seed), values_k, seed)
