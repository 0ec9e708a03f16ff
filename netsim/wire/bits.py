"""Arrays of single bits: fixed-width and unary numbers, written and read all at once."""

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint8]


def fixed_width(numbers_k: Int64, width: int) -> Bits:
    """Each number in ``width`` bits, most significant first: Bits[k · width]."""
    places_w = np.arange(width - 1, -1, -1)
    return ((numbers_k[:, None] >> places_w) & 1).astype(np.uint8).ravel()


def read_fixed_width(bits: Bits, count: int, width: int) -> Int64:
    """The first ``count`` numbers of ``width`` bits each."""
    places_w = np.left_shift(np.int64(1), np.arange(width - 1, -1, -1))
    digits_kw = bits[: count * width].reshape(count, width).astype(np.int64)
    return digits_kw @ places_w


def unary(numbers_k: Int64) -> Bits:
    """Each number as that many zeros and a one: Bits[Σ numbers + k]."""
    ends_k = np.cumsum(numbers_k + 1)
    bits = np.zeros(int(ends_k[-1]) if len(ends_k) else 0, np.uint8)
    bits[ends_k - 1] = 1
    return bits


def read_unary(bits: Bits, count: int) -> Int64:
    """The first ``count`` unary numbers; they take up their sum and ``count`` bits."""
    return np.diff(np.flatnonzero(bits)[:count], prepend=-1) - 1


def variable_width(numbers_k: Int64, widths_k: Int64) -> Bits:
    """Each number in as many bits as its width, most significant first: Bits[Σ widths]."""
    owner, place = _places(widths_k)
    return ((numbers_k[owner] >> place) & 1).astype(np.uint8)


def read_variable_width(bits: Bits, widths_k: Int64) -> Int64:
    """The numbers at the start of ``bits``, of these widths (each ≤ 62)."""
    owner, place = _places(widths_k)
    digits = bits[: len(owner)].astype(np.int64) << place
    sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(digits)])
    ends_k = np.cumsum(widths_k)
    # Sums may run over; their differences, modulo 2⁶⁴, are right all the same.
    numbers_k: Int64 = sums[ends_k] - sums[ends_k - widths_k]
    return numbers_k


def _places(widths_k: Int64) -> tuple[Int64, Int64]:
    """For each bit the number it is of, and its place in it, 0 for the last."""
    owner = np.repeat(np.arange(len(widths_k)), widths_k)
    return owner, np.cumsum(widths_k)[owner] - 1 - np.arange(len(owner))
