"""Sets of coordinates as bits: a bitmap or Rice-coded gaps, whichever is smaller.

One bit says which (1 for the bitmap).  A bitmap has one bit a coordinate.  Gaps are the
numbers of left-out coordinates before each kept one; with the Rice parameter b, fixed by n
and k, a gap g is ⌊g/2^b⌋ in unary and g mod 2^b in b bits.  All unary parts come first, then
all remainders.
"""

from typing import NamedTuple

import numpy as np

from netsim.wire.bits import Bits, Int64, fixed_width, read_fixed_width, read_unary, unary
from netsim.wire.header import WireError


class _Gaps(NamedTuple):
    quotients_k: Int64
    remainders_k: Int64
    width: int

    @property
    def bits(self) -> int:
        return int(self.quotients_k.sum()) + len(self.quotients_k) * (1 + self.width)


def position_bits(n: int, indices_k: Int64) -> int:
    """The exact number of bits for ``indices_k``, strictly ascending within 0 … n − 1."""
    return 1 + min(n, _gaps(n, indices_k).bits)


def pack_positions(n: int, indices_k: Int64) -> Bits:
    """The coordinates as ``position_bits(n, indices_k)`` bits."""
    gaps = _gaps(n, indices_k)
    if gaps.bits > n:
        bitmap = np.zeros(1 + n, np.uint8)
        bitmap[0] = 1
        bitmap[1 + indices_k] = 1
        return bitmap
    flag = np.zeros(1, np.uint8)
    remainders = fixed_width(gaps.remainders_k, gaps.width)
    return np.concatenate([flag, unary(gaps.quotients_k), remainders])


def unpack_positions(bits: Bits, n: int, count: int) -> Int64:
    """The ``count`` coordinates at the start of ``bits``; ``WireError`` if none stand there."""
    body = bits[1:]
    indices_k = np.flatnonzero(body[:n]) if bits[0] else _read_gaps(body, n, count)
    if len(indices_k) != count or (count and indices_k[-1] >= n):
        raise WireError(f"no {count} positions among {n} in the message")
    return indices_k


def _read_gaps(body: Bits, n: int, count: int) -> Int64:
    width = _rice_parameter(n, count)
    quotients_k = read_unary(body, count)
    used = int(quotients_k.sum()) + len(quotients_k)
    remainders_k = read_fixed_width(body[used:], len(quotients_k), width)
    return np.cumsum((quotients_k << width) + remainders_k + 1) - 1


def _gaps(n: int, indices_k: Int64) -> _Gaps:
    gaps_k = np.diff(indices_k, prepend=-1) - 1
    assert len(gaps_k) == 0 or (gaps_k.min() >= 0 and indices_k[-1] < n)
    width = _rice_parameter(n, len(gaps_k))
    return _Gaps(gaps_k >> width, gaps_k & ((1 << width) - 1), width)


def _rice_parameter(n: int, k: int) -> int:
    """About log₂ of the mean gap times ln 2, the best for geometric gaps, in whole numbers."""
    return (69 * (n - k) // (100 * k)).bit_length() if k else 0
