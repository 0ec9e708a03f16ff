"""The flows of each link, in one growing pool, and the slots of flows."""

from typing import Any

import numpy as np

from netsim.network.sharing.base import Int64
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
def weight(state: State, slot: int) -> float:
    """How much of a full link a flow gets beside others."""
    return float(state.weight_S[slot]) if len(state.weight_S) > 0 else 1.0


@inlined
def take_slot(state: State) -> int:
    """A slot that no flow uses."""
    if state.counts[FREE] > 0:
        state.counts[FREE] -= 1
        slot = int(state.free_S[state.counts[FREE]])
    else:
        slot = int(state.counts[HIGH])
        state.counts[HIGH] += 1
    return slot


@compiled
def reserve(state: State, links: Int64) -> int:
    """Room for one more flow on each of ``links``; else returns the free places that takes."""
    for link in links:
        state.links_L[link].wanted += 1
    places = 0
    for link in links:
        record = state.links_L[link]
        if record.wanted > 0:
            places += room_to_get(record)
            record.wanted = -record.wanted  # counted
    enough = state.counts[POOL_END] + places <= len(state.pool_slot_P)
    for link in links:
        room = room_to_get(state.links_L[link])
        state.links_L[link].wanted = 0
        if enough and room > 0:
            move(state, link, room)
    return 0 if enough else places


@inlined
def room_to_get(record: Any) -> int:
    """The room that the list of a link must move to, 0 if it has enough."""
    needed = record.length + abs(record.wanted)
    return needed + needed // 2 + 2 if needed > record.room else 0


@compiled
def move(state: State, link: int, room: int) -> None:
    """Move the list of ``link`` to the end of the used part of the pool."""
    record = state.links_L[link]
    begin, moved = record.begin, state.counts[POOL_END]
    for i in range(record.length):
        state.pool_slot_P[moved + i] = state.pool_slot_P[begin + i]
        state.pool_level_P[moved + i] = state.pool_level_P[begin + i]
    record.begin = moved
    record.room = room
    state.counts[POOL_END] += room


@inlined
def append(state: State, slot: int, hop: int, link: int) -> None:
    """Put a flow without a level on the list of ``link``, which has room."""
    record = state.links_L[link]
    length = record.length
    place = record.begin + length
    state.pool_slot_P[place] = slot
    state.pool_level_P[place] = np.inf
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
        state.pool_level_P[record.begin + place] = state.pool_level_P[record.begin + last]
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
