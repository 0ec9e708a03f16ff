"""Where to begin filling again: below the level that a change can reach nothing moves.

Max-min fair rates come from filling all flows evenly until links saturate (progressive
filling, Bertsekas and Gallager, Data Networks, 1992, section 6.5.2).  Two networks that differ
at a few links are filled alike up to the lowest level at which one of these links saturates,
with or without the change; flows with less than that keep their rates.
"""

import numpy as np

from netsim.network.sharing.kernel_state import EPOCH, TOUCHED, State, compiled

MARGIN = 1e-9
"""How far below that level to begin, as a part of it, so that rounding cannot hide a flow."""
SAME = 1e-12
"""Rates that differ by less than this part are equal."""
SLACK = 1e-6
EPSILON = 2.3e-16


@compiled
def restart_level(state: State) -> float:
    """The level to begin at, inf if nothing can move; keeps only the links that matter."""
    counts = state.counts
    lowest = np.inf
    kept = 0
    for i in range(counts[TOUCHED]):
        link = state.touched_L[i]
        if is_slack(state, link):
            continue
        level = changed_level(state, link)
        if level == np.inf:
            state.links_L[link].mark = 0
            continue
        state.touched_L[kept] = link
        kept += 1
        lowest = min(lowest, level)
    counts[TOUCHED] = kept
    return lowest * (1 - MARGIN)


@compiled
def is_slack(state: State, link: int) -> bool:
    """True if ``link`` holds nothing back, whatever its flows get elsewhere."""
    record = state.links_L[link]
    if record.level_bps < np.inf:
        return False
    return bool(record.demand_bps < record.capacity_bps * (1 - SLACK))


@compiled
def changed_level(state: State, link: int) -> float:
    """The lower of the levels at which ``link`` saturated before and would saturate now."""
    record = state.links_L[link]
    if record.squeezed != state.counts[EPOCH]:
        return float(record.level_bps)
    return min(float(record.level_bps), saturation_level(state, link))


@compiled
def saturation_level(state: State, link: int) -> float:
    """The rate at which ``link`` is full if slower flows keep theirs; inf if it is not."""
    record = state.links_L[link]
    if record.length == 0:
        return np.inf
    rates = state.pool_rate_P[record.begin : record.begin + record.length]
    level = record.capacity_bps / record.length
    while True:
        slower, rest = 0.0, 0
        for rate in rates:
            if rate < level * (1 - SAME):
                slower += rate
            else:
                rest += 1
        if rest == 0:
            return np.inf
        higher = (record.capacity_bps - slower) / rest
        if higher <= level * (1 + SAME):
            rounding = slower * record.length * EPSILON
            return float(max(0.0, level - rounding / rest))
        level = higher
