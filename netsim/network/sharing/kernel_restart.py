"""Where to begin filling again: below the level that a change can reach nothing moves.

Max-min fair rates come from filling all flows evenly until links saturate (progressive
filling, Bertsekas and Gallager, Data Networks, 1992, section 6.5.2).  Two networks that differ
at a few links are filled alike up to the lowest level at which one of these links saturates,
with or without the change; flows below it keep their rates.  The level of a flow is its rate for
a weight of 1.
"""

import numpy as np

from netsim.network.sharing.kernel_lists import weight
from netsim.network.sharing.kernel_state import EPOCH, TOUCHED, State, compiled, inlined

MARGIN = 1e-9
"""How far below that level to begin, as a part of it, so that rounding cannot hide a flow."""
SAME = 1e-12
"""Rates that differ by less than this part are equal."""
SLACK = 1e-6
EPSILON = 2.3e-16


@compiled
def restart_level(state: State) -> float:
    """The level to begin at, inf if nothing can move; keeps only the links that matter."""
    lowest = np.inf
    kept = 0
    for i in range(state.counts[TOUCHED]):
        link = state.touched_L[i]
        level = changed_level(state, link)
        if level < np.inf:
            state.touched_L[kept] = link
            kept += 1
            lowest = min(lowest, level)
        elif not is_slack(state, link):
            state.links_L[link].mark = 0
    state.counts[TOUCHED] = kept
    return lowest * (1 - MARGIN)


@inlined
def is_slack(state: State, link: int) -> bool:
    """True if ``link`` holds nothing back, whatever its flows get elsewhere."""
    record = state.links_L[link]
    free = record.demand_bps < record.capacity_bps * (1 - SLACK)
    return bool(free and record.level_bps == np.inf)


@inlined
def changed_level(state: State, link: int) -> float:
    """The lower of the levels at which ``link`` saturated before and would saturate now."""
    record = state.links_L[link]
    level = float(record.level_bps)
    if record.squeezed == state.counts[EPOCH] and not is_slack(state, link):
        level = min(level, saturation_level(state, link))
    return level


@compiled
def saturation_level(state: State, link: int) -> float:
    """The level at which a link is full if slower flows keep theirs; inf if it is not."""
    record = state.links_L[link]
    level = 0.0 if record.length == 0 else record.capacity_bps / whole_weight(state, link)
    while True:
        slower, rest = 0.0, 0.0
        for place in range(record.begin, record.begin + record.length):
            each = weight(state, state.pool_slot_P[place])
            if state.pool_level_P[place] < level * (1 - SAME):
                slower += each * state.pool_level_P[place]
            else:
                rest += each
        if rest == 0.0:
            return np.inf
        higher = (record.capacity_bps - slower) / rest
        if higher <= level * (1 + SAME):
            rounding = slower * record.length * EPSILON
            return float(max(0.0, level - rounding / rest))
        level = higher


@inlined
def whole_weight(state: State, link: int) -> float:
    """That of all flows on a link together."""
    record = state.links_L[link]
    if len(state.weight_S) == 0:
        return float(record.length)
    total = 0.0
    for slot in state.pool_slot_P[record.begin : record.begin + record.length]:
        total += float(state.weight_S[slot])
    return total
