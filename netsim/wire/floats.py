"""Floating-point formats on the wire; in memory every value is a float32."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Words = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A format of ``bits`` bits, little-endian; rounding is to nearest, ties to even.

    Values too large for the format become infinite, as IEEE 754 has it.
    """

    name: str
    code: int
    bits: int
    lossless: bool
    _to_words: Callable[[Float32], Words] = field(repr=False)
    _from_words: Callable[[Words], Float32] = field(repr=False)

    def pack(self, x_N: Float32) -> bytes:
        """The values' bytes, ``bits`` · N bits."""
        assert x_N.dtype == np.float32
        assert x_N.ndim == 1
        return self._to_words(x_N).tobytes()

    def unpack(self, data: memoryview, count: int = -1) -> Float32:
        """The first ``count`` values in ``data`` (all by default), in memory of their own."""
        return self._from_words(np.frombuffer(data, f"<u{self.bits // 8}", count))

    def round(self, x_N: Float32) -> Float32:
        """The values as they come out at the other end; the same array if lossless."""
        return x_N if self.lossless else self._from_words(self._to_words(x_N))


def _float32_words(x_N: Float32) -> Words:
    return np.ascontiguousarray(x_N, "<f4").view("<u4")


def _words_float32(words_N: Words) -> Float32:
    return words_N.view("<f4").astype(np.float32)


def _float16_words(x_N: Float32) -> Words:
    with np.errstate(over="ignore", invalid="ignore"):
        return x_N.astype("<f2").view("<u2")


def _words_float16(words_N: Words) -> Float32:
    return words_N.view("<f2").astype(np.float32)


def _bfloat16_words(x_N: Float32) -> Words:
    words_N = np.ascontiguousarray(x_N, np.float32).view(np.uint32)
    half_N = np.uint32(0x7FFF) + ((words_N >> np.uint32(16)) & np.uint32(1))
    quiet_nan_N = words_N | np.uint32(0x400000)
    # Rounding up could carry a NaN over into another number.
    rounded_N = np.where(np.isnan(x_N), quiet_nan_N, words_N + half_N)
    return (rounded_N >> np.uint32(16)).astype("<u2")


def _words_bfloat16(words_N: Words) -> Float32:
    return (words_N.astype(np.uint32) << np.uint32(16)).view(np.float32)


FLOAT32: Final = FloatFormat("float32", 0, 32, True, _float32_words, _words_float32)
FLOAT16: Final = FloatFormat("float16", 1, 16, False, _float16_words, _words_float16)
BFLOAT16: Final = FloatFormat("bfloat16", 2, 16, False, _bfloat16_words, _words_bfloat16)
FLOAT_FORMATS: Final = {form.name: form for form in (FLOAT32, FLOAT16, BFLOAT16)}
