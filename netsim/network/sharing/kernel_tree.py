"""A tournament tree of finish times: the earliest is known at once, a change costs log S."""

import numpy as np

from netsim.network.sharing.base import Float64
from netsim.network.sharing.kernel_state import Int32, compiled

REBUILD_PART = 8
"""A rebuild reads the whole tree; it is worth it if more than one leaf in so many moved."""


@compiled
def rebuild(finish_2S: Float64) -> None:
    """Work out every inner place from the leaves."""
    for place in range(len(finish_2S) // 2 - 1, 0, -1):
        finish_2S[place] = min(finish_2S[2 * place], finish_2S[2 * place + 1])


@compiled
def lift(finish_2S: Float64, place: int) -> None:
    """Carry the change of a leaf upwards."""
    place >>= 1
    while place > 0:
        least = min(finish_2S[2 * place], finish_2S[2 * place + 1])
        if least == finish_2S[place]:
            break
        finish_2S[place] = least
        place >>= 1


@compiled
def lift_all(finish_2S: Float64, moved_S: Int32, count: int) -> None:
    """Carry the changes of the leaves of ``moved_S[:count]`` upwards."""
    slots = len(finish_2S) // 2
    if count * REBUILD_PART > slots:
        rebuild(finish_2S)
    else:
        for i in range(count):
            lift(finish_2S, slots + moved_S[i])


@compiled
def due(finish_2S: Float64, limit: float, found_S: Int32) -> int:
    """Slots that finish at or before ``limit``, ascending, into ``found_S``; how many."""
    slots = len(finish_2S) // 2
    count = 0
    stack = np.empty(64, np.int64)
    stack[0], depth = 1, 1
    while depth > 0:
        depth -= 1
        place = stack[depth]
        if finish_2S[place] > limit:
            continue
        if place >= slots:
            found_S[count] = place - slots
            count += 1
        else:
            stack[depth], stack[depth + 1] = 2 * place + 1, 2 * place
            depth += 2
    return count
