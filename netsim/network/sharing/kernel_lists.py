"""The flows of each link, in one growing pool, and the slots of flows."""

import numpy as np

from netsim.network.sharing.kernel_state import (
    EPOCH,
    FREE,
    HIGH,
    POOL_END,
    TOUCHED,
    State,
    compiled,
    inlined,
)


@inlined
def touch(state: State, link: int) -> None:
    """Note that something changed on ``link`` at this instant."""
    counts = state.counts
    if state.links_L[link].mark != counts[EPOCH]:
        state.links_L[link].mark = counts[EPOCH]
        state.touched_L[counts[TOUCHED]] = link
        counts[TOUCHED] += 1


@inlined
def take_slot(state: State) -> int:
    """A slot that no flow uses."""
    counts = state.counts
    if counts[FREE] > 0:
        counts[FREE] -= 1
        return int(state.free_S[counts[FREE]])
    counts[HIGH] += 1
    return int(counts[HIGH] - 1)


@compiled
def make_room(state: State, link: int) -> bool:
    """Move the list of ``link`` to a place with twice the room; False if the pool is used up."""
    record = state.links_L[link]
    room = max(4, 2 * record.room)
    begin, moved = record.begin, state.counts[POOL_END]
    if moved + room > len(state.pool_slot_P):
        return False
    for i in range(record.length):
        state.pool_slot_P[moved + i] = state.pool_slot_P[begin + i]
        state.pool_rate_P[moved + i] = state.pool_rate_P[begin + i]
    record.begin = moved
    record.room = room
    state.counts[POOL_END] += room
    return True


@inlined
def append(state: State, slot: int, hop: int, link: int) -> None:
    """Put a flow without a rate on the list of ``link``, which has room."""
    record = state.links_L[link]
    length = record.length
    place = record.begin + length
    state.pool_slot_P[place] = slot
    state.pool_rate_P[place] = np.inf
    state.hops_SR[slot, hop].link = link
    state.hops_SR[slot, hop].place = length
    record.length = length + 1
    record.demand_bps += state.peak_bps_S[slot]


@inlined
def remove(state: State, slot: int, hop: int) -> None:
    """Take a flow off the list of one link; the last of the list takes its place."""
    link = state.hops_SR[slot, hop].link
    place = state.hops_SR[slot, hop].place
    record = state.links_L[link]
    last = record.length - 1
    record.length = last
    record.demand_bps -= state.peak_bps_S[slot]
    if last == 0:
        record.demand_bps = 0.0
        record.level_bps = np.inf
    if place != last:
        mover = state.pool_slot_P[record.begin + last]
        state.pool_slot_P[record.begin + place] = mover
        state.pool_rate_P[record.begin + place] = state.pool_rate_P[record.begin + last]
        other = 0
        while state.hops_SR[mover, other].link != link:
            other += 1
        state.hops_SR[mover, other].place = place


@inlined
def withdraw(state: State, slot: int) -> None:
    """Take a flow off all its links and free its slot (its finish stays in the tree).

    Only a link that held flows back has something to give away now.
    """
    assert state.hops_SR[slot, 0].link >= 0  # the slot is in use
    for hop in range(state.hops_SR.shape[1]):
        link = state.hops_SR[slot, hop].link
        if link < 0:
            break
        remove(state, slot, hop)
        state.hops_SR[slot, hop].link = -1
        if state.links_L[link].level_bps < np.inf:
            touch(state, link)
    state.free_S[state.counts[FREE]] = slot
    state.counts[FREE] += 1
