"""Progressive filling of the sub-problem that a change can reach."""

from typing import Any

import numpy as np

from netsim.network.sharing.base import Float64
from netsim.network.sharing.kernel_lists import weight
from netsim.network.sharing.kernel_restart import SAME, is_slack, restart_level
from netsim.network.sharing.kernel_settle import settle
from netsim.network.sharing.kernel_state import EPOCH, TOUCHED, Int32, State, compiled, inlined
from netsim.network.sharing.kernel_tree import lift_all

FEW_EPSILON = 1e-15
"""Rounding of a sum of rates, as a part of the capacity that they share."""


@compiled
def solve(state: State, now: float) -> float:
    """Bring all rates and finish times up to the changes made at ``now``; the next finish."""
    counts = state.counts
    threshold = restart_level(state)
    if counts[TOUCHED] > 0:
        gather(state, threshold)
        moved = fill(state, now)
        lift_all(state.finish_2S, state.list_S, moved)
    counts[TOUCHED] = 0
    counts[EPOCH] += 1
    return float(state.finish_2S[1])


@compiled
def gather(state: State, threshold: float) -> None:
    """Collect the flows at or above ``threshold`` that hang together with the touched links."""
    done, used = 0, 0
    while done < state.counts[TOUCHED]:
        used = gather_link(state, state.touched_L[done], threshold, used)
        done += 1


@inlined
def gather_link(state: State, link: int, threshold: float, used: int) -> int:
    """Split the flows of a link into those that keep their rate and those to be filled."""
    record = state.links_L[link]
    residual, lost = record.capacity_bps, 0.0
    record.first = used
    record.weight = record.weight_lost = 0.0
    for place in range(record.begin, record.begin + record.length):
        level = state.pool_level_P[place]
        if level < threshold:
            part = -level * weight(state, state.pool_slot_P[place]) - lost
            total = residual + part
            lost = (total - residual) - part
            residual = total
        else:
            slot = state.pool_slot_P[place]
            if len(state.weight_S) > 0:
                add_weight(record, state.weight_S[slot])
            state.scratch_P[used] = slot
            used += 1
            if state.flows_S[slot].mark != state.counts[EPOCH]:
                state.flows_S[slot].mark = state.counts[EPOCH]
                reach(state, slot)
    record.last = used
    record.open = used - record.first
    record.residual_bps = residual
    record.lost_bps = lost
    record.level_bps = np.inf
    return used


@compiled
def reach(state: State, slot: int) -> None:
    """Add the links of a flow that can hold it back to the sub-problem."""
    counts = state.counts
    for hop in range(state.hops_SR.shape[1]):
        link = state.hops_SR[slot, hop].link
        if link < 0:
            break
        if state.links_L[link].mark != counts[EPOCH]:
            state.links_L[link].mark = counts[EPOCH]
            if not is_slack(state, link):
                state.touched_L[counts[TOUCHED]] = link
                counts[TOUCHED] += 1


@compiled
def fill(state: State, now: float) -> int:
    """Saturate link after link, the lowest level first; how many finish times moved."""
    key_L, link_L = state.heap_key_L, state.heap_link_L
    size = heap_of_links(state)
    level, moved = 0.0, 0
    while size > 0:
        record = state.links_L[link_L[0]]
        if record.open > 0:
            next_level = key_L[0] if key_L[0] > level * (1 + SAME) else level
            if share(state, record) > key_L[0] and has_more(state, record, next_level):
                key_L[0] = share(state, record)  # others took less than their part since
                sink(key_L, link_L, size, 0)
                continue
            level = record.level_bps = next_level
            moved = saturate(state, link_L[0], level, now, moved)
        size -= 1
        key_L[0], link_L[0] = key_L[size], link_L[size]
        sink(key_L, link_L, size, 0)
    return moved


@inlined
def add_weight(record: Any, weight: float) -> None:
    """Count a flow without a rate, or with minus its weight no longer, and what rounding loses.

    Two-sum (Knuth, The Art of Computer Programming 2, section 4.2.2): a small weight must be
    there in full when large ones are gone.
    """
    total = record.weight + weight
    part = total - record.weight
    record.weight_lost += (record.weight - (total - part)) + (weight - part)
    record.weight = total


@inlined
def open_weight(state: State, record: Any) -> float:
    """That of a link's flows without a rate together."""
    if len(state.weight_S) > 0:
        return float(record.weight + record.weight_lost)
    return float(record.open)


@inlined
def share(state: State, record: Any) -> float:
    """The level to which what a link has left would fill its flows without a rate."""
    return float(max(record.residual_bps - record.lost_bps, 0.0) / open_weight(state, record))


@inlined
def has_more(state: State, record: Any, level: float) -> bool:
    """True if a link has more to give than ``level`` to each, rounding apart.

    Levels that differ by rounding only must be one: the difference would come back many
    times as large on a link with many flows at one level and few at the next.
    """
    left_bps = record.residual_bps - record.lost_bps
    taken_bps = open_weight(state, record) * level
    rounding_bps = max(taken_bps * SAME, record.capacity_bps * FEW_EPSILON)
    return bool(left_bps - taken_bps > rounding_bps)


@compiled
def saturate(state: State, link: int, level: float, now: float, moved: int) -> int:
    """Fill every flow on ``link`` that has no rate yet to ``level``."""
    epoch = state.counts[EPOCH]
    for place in range(state.links_L[link].first, state.links_L[link].last):
        slot = state.scratch_P[place]
        flow = state.flows_S[slot]
        if flow.mark == epoch:
            flow.mark = -epoch
            rate_bps = level * weight(state, slot)
            spend(state, slot, level, rate_bps)
            if abs(rate_bps - flow.rate_bps) > SAME * rate_bps:
                settle(state, slot, rate_bps, now)
                state.list_S[moved] = slot
                moved += 1
    return moved


@compiled
def spend(state: State, slot: int, level: float, rate_bps: float) -> None:
    """Take the rate of a flow off what its links have left, with compensated rounding."""
    for hop in range(state.hops_SR.shape[1]):
        link = state.hops_SR[slot, hop].link
        if link < 0:
            break
        record = state.links_L[link]
        state.pool_level_P[record.begin + state.hops_SR[slot, hop].place] = level
        part = -rate_bps - record.lost_bps
        total = record.residual_bps + part
        record.lost_bps = (total - record.residual_bps) - part
        record.residual_bps = total
        record.open -= 1
        if len(state.weight_S) > 0:
            add_weight(record, -state.weight_S[slot])


@compiled
def heap_of_links(state: State) -> int:
    """A heap of the touched links by the level at which they would saturate; its size."""
    size = 0
    for i in range(state.counts[TOUCHED]):
        link = state.touched_L[i]
        if state.links_L[link].open > 0:
            state.heap_key_L[size] = share(state, state.links_L[link])
            state.heap_link_L[size] = link
            size += 1
    for place in range(size // 2 - 1, -1, -1):
        sink(state.heap_key_L, state.heap_link_L, size, place)
    return size


@compiled
def sink(key_L: Float64, link_L: Int32, size: int, place: int) -> None:
    """Move an entry of the heap down to where it belongs."""
    key, link = key_L[place], link_L[place]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and key_L[child + 1] < key_L[child]:
            child += 1
        if key_L[child] >= key:
            break
        key_L[place], link_L[place] = key_L[child], link_L[child]
        place = child
    key_L[place], link_L[place] = key, link
