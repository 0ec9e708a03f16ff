"""A part of the model and its reference for a client that is out of step."""

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from netsim.wire.floats import FLOAT32, Float32
from netsim.wire.header import WireError
from netsim.wire.payload import Encoded, FixedSizeCodec

_HEAD: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Resync:
    """``model_n`` and ``reference_n`` Float32[n]; ``missed`` is the first round the client
    missed, and ``used`` whether its piece of that round was."""

    model_n: Float32
    reference_n: Float32
    missed: int
    used: bool


@final
@dataclass(frozen=True, slots=True)
class ResyncCodec(FixedSizeCodec[Resync]):
    """The round (32 bit) and the flag (8 bit), which are wire only, and 2n float32 values."""

    @property
    def codec_id(self) -> int:
        """0x56."""
        return 0x56

    def coordinates(self, value: Resync) -> int:
        """n."""
        return len(value.model_n)

    def payload_bits(self, n: int) -> int:
        """2n numbers."""
        return 2 * n * FLOAT32.bits

    def body_bits(self, n: int) -> int:
        """Round, flag and numbers."""
        return 8 * _HEAD + self.payload_bits(n)

    def delivered(self, value: Resync) -> Resync:
        """The same value: nothing is rounded."""
        return value

    def _pack(self, value: Resync) -> Encoded:
        head = value.missed.to_bytes(_HEAD - 1, "little") + bytes([value.used])
        both = np.concatenate([value.model_n, value.reference_n])
        return Encoded(head + FLOAT32.pack(both), self.body_bits(len(value.model_n)))

    def _unpack(self, body: memoryview, coordinates: int) -> Resync:
        if len(body) < _HEAD or body[_HEAD - 1] > 1:
            raise WireError(f"{len(body)} bytes are no model for a client out of step")
        both = FLOAT32.unpack(body[_HEAD:])
        if len(both) != 2 * coordinates:
            raise WireError(f"{len(both)} values for {coordinates} coordinates")
        missed = int.from_bytes(body[: _HEAD - 1], "little")
        return Resync(both[:coordinates], both[coordinates:], missed, bool(body[_HEAD - 1]))
