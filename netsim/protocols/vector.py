"""Arithmetic on model vectors that rounds the same wherever a shard begins or ends.

Every step is one elementwise numpy operation, so no multiply and add are ever fused and a
coordinate's bits depend on that coordinate alone.  Sums run in the order they are given.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from netsim.wire.sparse import Sparse

Vector = npt.NDArray[np.float32]

_STRETCH = 1 << 16


def zeros(size: int) -> Vector:
    """Where a sum begins."""
    return np.zeros(size, np.float32)


def add_scaled(total: Vector, weight: float, term: "Vector | Sparse") -> None:
    """total += weight · term, in place; a sparse term touches the coordinates it holds."""
    if isinstance(term, Sparse):
        total[term.indices_k] += np.float32(weight) * term.values_k
        return
    if len(term) <= _STRETCH:
        total += np.float32(weight) * term
        return
    # A stretch at a time, so that products stay in the processor's cache.
    for at in range(0, len(term), _STRETCH):
        part = slice(at, at + _STRETCH)
        total[part] += np.float32(weight) * term[part]


def weighted_sum(size: int, terms: Iterable[tuple[float, Vector]]) -> Vector:
    """Σ weight · vector over vectors of ``size``, one after the other."""
    total = np.zeros(size, np.float32)
    for weight, vector in terms:
        total += np.float32(weight) * vector
    return total


def descend(model: Vector, lr: float, direction: Vector) -> Vector:
    """model − lr · direction; infinite or not a number where that is too large for float32."""
    with np.errstate(over="ignore", invalid="ignore"):
        step = np.float32(lr) * direction
        np.subtract(model, step, out=step)
    return step
