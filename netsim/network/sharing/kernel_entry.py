"""The kernel's entrances for what happens at every event.

They take the arrays of the state one by one: numba looks at separate arguments faster than
into a tuple.
"""

from typing import Any

import numpy.typing as npt

from netsim.network.sharing import kernel_changes, kernel_fill
from netsim.network.sharing.base import Float64, Int64
from netsim.network.sharing.kernel_state import State, compiled


@compiled
def start(
    now: float,
    bits: Int64,
    ptr: Int64,
    links: Int64,
    weights: Float64,
    slots: Int64,
    *arrays: npt.NDArray[Any],
) -> int:
    """``kernel_changes.start`` of ``State(*arrays)``."""
    return kernel_changes.start(State(*arrays), now, bits, ptr, links, weights, slots)


@compiled
def complete(now: float, *arrays: npt.NDArray[Any]) -> int:
    """``kernel_changes.complete`` of ``State(*arrays)``."""
    return kernel_changes.complete(State(*arrays), now)


@compiled
def solve(now: float, *arrays: npt.NDArray[Any]) -> float:
    """``kernel_fill.solve`` of ``State(*arrays)``."""
    return kernel_fill.solve(State(*arrays), now)
