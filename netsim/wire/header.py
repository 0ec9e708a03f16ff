"""The fixed header in front of every message."""

import struct
from dataclasses import dataclass
from typing import Final

_LAYOUT: Final = struct.Struct(">2sBBHHIIIIII")
_MAGIC: Final = b"NS"
_VERSION: Final = 1
_LENGTH_LOW_BITS: Final = 32

HEADER_BYTES: Final = _LAYOUT.size
HEADER_BITS: Final = 8 * HEADER_BYTES


class WireError(ValueError):
    """Bytes that are no message of this codec, or a size that is not the announced one."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a message says about itself besides its value.

    ``kind`` is the protocol's code of the kind of message (16 bit); ``part`` is the shard,
    chunk or sequence number within one kind and round.  The others are 32 bit, all unsigned.
    """

    kind: int = 0
    round: int = 0
    sender: int = 0
    receiver: int = 0
    part: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """The first ``HEADER_BITS`` = 256 bits of a message, big-endian.

    ====================  ====
    field                 bits
    ====================  ====
    magic "NS"              16
    version                  8
    codec                    8
    kind                    16
    length of the body      48
    round                   32
    sender                  32
    receiver                32
    part                    32
    coordinates             32
    ====================  ====

    The length counts bits; the body is padded with zeros to whole bytes where it is stored,
    and the padding is not counted.  ``coordinates`` is the length of the vector the value
    stands for, which a sparse body alone would not tell.
    """

    envelope: Envelope
    codec_id: int
    coordinates: int
    body_bits: int

    def pack(self) -> bytes:
        """The header's bytes; ``WireError`` if a field does not fit."""
        high, low = divmod(self.body_bits, 1 << _LENGTH_LOW_BITS)
        to = self.envelope
        address = (to.round, to.sender, to.receiver, to.part)
        fields = (self.codec_id, to.kind, high, low, *address, self.coordinates)
        try:
            return _LAYOUT.pack(_MAGIC, _VERSION, *fields)
        except struct.error as error:
            raise WireError(f"a field does not fit into the message header: {self}") from error

    @classmethod
    def unpack(cls, data: bytes) -> "Header":
        """The header of a whole message; ``WireError`` if it is none or has another length."""
        if len(data) < HEADER_BYTES:
            raise WireError(f"{len(data)} bytes are too short for a message header")
        magic, version, codec_id, kind, high, low, *rest = _LAYOUT.unpack_from(data)
        if (magic, version) != (_MAGIC, _VERSION):
            raise WireError(f"magic {magic!r}, version {version}: not a message of this version")
        body_bits = (high << _LENGTH_LOW_BITS) + low
        if len(data) != HEADER_BYTES + (body_bits + 7) // 8:
            raise WireError(f"{len(data)} bytes do not hold a body of {body_bits} bits")
        *address, coordinates = rest
        return cls(Envelope(kind, *address), codec_id, coordinates, body_bits)
