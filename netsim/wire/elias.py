"""Elias's omega code, and levels sent as gaps, signs and magnitudes in it."""

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from netsim.wire.bits import Bits, Int64, fixed_width, read_fixed_width, variable_width
from netsim.wire.floats import FLOAT32
from netsim.wire.header import HEADER_BITS, WireError
from netsim.wire.levels import Levels
from netsim.wire.payload import Codec, Encoded, Sizes

_COUNT_BITS: Final = 32
_WIDEST: Final = 62


def omega(numbers_k: Int64) -> tuple[Int64, Int64]:
    """Omega code words of numbers from 1 to 2³² and their lengths in bits (Elias 1975)."""
    words, lengths, rest = np.zeros_like(numbers_k), np.ones_like(numbers_k), numbers_k.copy()
    while (more := rest > 1).any():
        digits = np.frexp(rest.astype(np.float64))[1].astype(np.int64)
        words = np.where(more, words | (rest << np.where(more, lengths, 0)), words)
        lengths = np.where(more, lengths + digits, lengths)
        rest = np.where(more, digits - 1, rest)
    return words, lengths


def omega_bits(numbers_k: Int64) -> int:
    """The length of all their code words together, bits."""
    return int(omega(numbers_k)[1].sum())


def read_omega(bits: Bits, count: int) -> tuple[Int64, int]:
    """The first ``count`` numbers and how many bits they took; ``WireError`` if there are none."""
    text, at = bits.tobytes().translate(bytes.maketrans(b"\0\1", b"01")).decode(), 0
    numbers = np.empty(count, np.int64)
    for k in range(count):
        number = 1
        while text[at : at + 1] == "1":
            if number >= _WIDEST:
                raise WireError("a code word wider than any level or gap")
            end = at + number + 1
            number, at = int(text[at:end], 2), end
        numbers[k], at = number, at + 1
    if at > len(text):
        raise WireError(f"no {count} code words in the message")
    return numbers, at


@final
@dataclass(frozen=True, slots=True)
class EliasLevels(Codec[Levels]):
    """QSGD's code: for each level that is not 0 its gap, its sign and its magnitude.

    The body is the scale (32 bit), the number of such levels (32 bit), all gaps and all
    magnitudes in omega code, and a bit a sign; magnitudes and signs are payload.
    Alistarh et al. 2017, Section 3.2, with the three kinds in planes.
    """

    @property
    def codec_id(self) -> int:
        """0x52."""
        return 0x52

    def coordinates(self, value: Levels) -> int:
        """n."""
        return len(value.levels_n)

    def sizes(self, value: Levels) -> Sizes:
        """The exact sizes of the message that carries ``value``."""
        gaps_k, levels_k = _nonzero(value.levels_n)
        payload = omega_bits(np.abs(levels_k)) + len(levels_k)
        head = HEADER_BITS + FLOAT32.bits + _COUNT_BITS
        return Sizes(payload, head + omega_bits(gaps_k) + payload)

    def delivered(self, value: Levels) -> Levels:
        """The same value: nothing is rounded."""
        return value

    def _pack(self, value: Levels) -> Encoded:
        gaps_k, levels_k = _nonzero(value.levels_n)
        head = FLOAT32.pack(np.array([value.scale], np.float32))
        bits = np.concatenate(
            [
                np.unpackbits(np.frombuffer(head, np.uint8)),
                fixed_width(np.array([len(levels_k)]), _COUNT_BITS),
                variable_width(*omega(gaps_k)),
                variable_width(*omega(np.abs(levels_k))),
                (levels_k < 0).astype(np.uint8),
            ]
        )
        return Encoded(np.packbits(bits).tobytes(), len(bits))

    def _unpack(self, body: memoryview, coordinates: int) -> Levels:
        if 8 * len(body) < FLOAT32.bits + _COUNT_BITS:
            raise WireError(f"{len(body)} bytes hold no levels")
        scale = float(FLOAT32.unpack(body, 1)[0])
        bits = np.unpackbits(np.frombuffer(body[FLOAT32.bits // 8 :], np.uint8))
        count = int(read_fixed_width(bits, 1, _COUNT_BITS)[0])
        if count > min(coordinates, len(bits)):
            raise WireError(f"{count} levels of {coordinates}")
        at = _COUNT_BITS
        gaps_k, used = read_omega(bits[at:], count)
        levels_k, more = read_omega(bits[at + used :], count)
        signs_k = bits[at + used + more :][:count]
        places_k = np.cumsum(gaps_k) - 1
        if len(signs_k) < count or (count and not 0 <= gaps_k.max() <= coordinates):
            raise WireError("the message ends before its levels")
        if count and not 0 <= places_k[-1] < coordinates:
            raise WireError(f"levels beyond coordinate {coordinates}")
        levels_n = np.zeros(coordinates, np.int64)
        levels_n[places_k] = np.where(signs_k == 1, -levels_k, levels_k)
        return Levels(levels_n, scale)


def _nonzero(levels_n: Int64) -> tuple[Int64, Int64]:
    """Gaps (1 for a neighbour) and levels of the coordinates that are not zero."""
    places_k = np.flatnonzero(levels_n)
    return np.diff(places_k, prepend=-1), levels_n[places_k]
