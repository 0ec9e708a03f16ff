"""How many bits a universal quantiser takes, in expectation."""

import math

from netsim.wire.layers.base import Layer
from netsim.wire.points import point_width


def accepted(layer: Layer, dim: int) -> float:
    """The probability that a try is accepted: the ball's share of its cell, or 1."""
    if not layer.in_ball or dim == 1:
        return 1.0
    return float(math.pi ** (dim / 2) / math.gamma(dim / 2 + 1) / 2**dim)


def count_bits(layer: Layer, dim: int) -> float:
    """Mean bits of a block's iteration count in unary: 1/p; nothing where every try counts."""
    p = accepted(layer, dim)
    return 1 / p if dim > 1 and layer.in_ball else 0.0


def count_entropy(layer: Layer, dim: int) -> float:
    """Entropy of the geometric count, bits (CEPAM, Section IV-B)."""
    p = accepted(layer, dim)
    return 0.0 if p == 1 else (-p * math.log2(p) - (1 - p) * math.log2(1 - p)) / p


def point_bits(layer: Layer, dim: int, peak: float) -> float:
    """Mean bits of a block's lattice point, over the latent variable: Σ_b P(width > b).

    A point of reach m has ``point_width(m, dim)`` bits, and m > j just where β ≤ peak/j.
    """
    total, b = 0.0, 0
    while True:
        j = _largest_reach(b, dim)
        more = 1.0 if j == 0 else layer.below(peak / j, dim)
        if more < 1e-15:
            return total
        total += more
        b += 1


def block_bits(layer: Layer, dim: int, peak: float) -> float:
    """Mean payload of a block as it is sent."""
    return count_bits(layer, dim) + point_bits(layer, dim, peak)


def paper_bits(layer: Layer, dim: int, peak: float) -> float:
    """The paper's figure for a block: the count's entropy and E⌈log₂|M(U)|⌉ for the point."""
    return count_entropy(layer, dim) + point_bits(layer, dim, peak)


def _largest_reach(bits: int, dim: int) -> int:
    """The largest reach whose points take at most so many bits; 0 where none does."""
    low, high = 0, 1
    while point_width(high, dim) <= bits:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if point_width(middle, dim) <= bits:
            low = middle
        else:
            high = middle
    return low
