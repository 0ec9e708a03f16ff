"""Making and growing the arrays of the max-min kernel."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from netsim.network.sharing.base import Float64
from netsim.network.sharing.kernel_state import (
    EPOCH,
    FLOW,
    FREE,
    HIGH,
    HOP,
    LINK,
    LINKS,
    POOL_END,
    Records,
    State,
)
from netsim.network.sharing.kernel_tree import rebuild

Scalar = TypeVar("Scalar", bound=np.generic)

FIRST_SLOTS = 64
FIRST_PLACES = 4096


def empty_state(capacity_bps: Float64) -> State:
    """The state of links that nothing crosses yet."""
    counts = np.zeros(6, np.int64)
    counts[EPOCH] = 1
    state = State(
        counts=counts,
        flows_S=np.zeros(0, FLOW),
        size_bits_S=np.zeros(0, np.int64),
        peak_bps_S=np.zeros(0),
        hops_SR=_hops(0, 2),
        finish_2S=np.full(0, np.inf),
        free_S=np.zeros(0, np.int32),
        list_S=np.zeros(0, np.int32),
        links_L=np.zeros(0, LINK),
        touched_L=np.zeros(0, np.int32),
        heap_key_L=np.zeros(0),
        heap_link_L=np.zeros(0, np.int32),
        pool_slot_P=np.zeros(FIRST_PLACES, np.int32),
        pool_level_P=np.zeros(FIRST_PLACES),
        scratch_P=np.zeros(FIRST_PLACES, np.int32),
        weight_S=np.zeros(0),
    )
    return with_links(with_slots(state, FIRST_SLOTS), capacity_bps)


def with_slots(state: State, slots: int) -> State:
    """Room for at least ``slots`` flows in use at once."""
    size = 1 << (slots - 1).bit_length()
    hops = _hops(size, state.hops_SR.shape[1])
    hops[: len(state.hops_SR)] = state.hops_SR
    finish = np.full(2 * size, np.inf)
    old = len(state.finish_2S) // 2
    finish[size : size + old] = state.finish_2S[old:]
    rebuild(finish)
    return state._replace(
        flows_S=_longer(state.flows_S, size),
        size_bits_S=_longer(state.size_bits_S, size),
        peak_bps_S=_longer(state.peak_bps_S, size),
        hops_SR=hops,
        finish_2S=finish,
        free_S=_longer(state.free_S, size),
        list_S=np.zeros(size, np.int32),
        weight_S=_longer(state.weight_S, size) if len(state.weight_S) else state.weight_S,
    )


def with_weights(state: State) -> State:
    """Room for weights; those of the flows there are are 1."""
    if len(state.weight_S):
        return state
    return state._replace(weight_S=np.ones(len(state.flows_S)))


def with_route(state: State, links: int) -> State:
    """Room for routes of ``links`` links."""
    slots, old = state.hops_SR.shape
    hops = _hops(slots, links)
    hops[:, :old] = state.hops_SR
    return state._replace(hops_SR=hops)


def with_links(state: State, capacity_bps: Float64) -> State:
    """More links, after those there are."""
    assert ((capacity_bps >= 0) & (capacity_bps < np.inf)).all()
    first = int(state.counts[LINKS])
    count = first + len(capacity_bps)
    if count > len(state.links_L):
        size = max(count, 2 * first)
        state = state._replace(
            links_L=_longer(state.links_L, size),
            touched_L=_longer(state.touched_L, size),
            heap_key_L=np.zeros(size),
            heap_link_L=np.zeros(size, np.int32),
        )
    state.links_L["capacity_bps"][first:count] = capacity_bps
    state.links_L["level_bps"][first:count] = np.inf
    state.counts[LINKS] = count
    return state


def with_places(state: State, wanted: int) -> State:
    """The lists of all links packed, and ``wanted`` free places after them.

    A link keeps a quarter more room than its list is long, so that a link that grows
    again is not moved at once.
    """
    links = state.links_L
    length = links["length"]
    room = np.where(length > 0, length + length // 4 + 1, 0)
    begin = np.cumsum(room) - room
    used = int(room.sum())
    size = max(FIRST_PLACES, used + used // 4 + wanted)
    slot, level = np.zeros(size, np.int32), np.zeros(size)
    target = np.repeat(begin - (np.cumsum(length) - length), length) + np.arange(length.sum())
    source = target + np.repeat(links["begin"] - begin, length)
    slot[target], level[target] = state.pool_slot_P[source], state.pool_level_P[source]
    links["begin"], links["room"] = begin, room
    state.counts[POOL_END] = used
    return state._replace(pool_slot_P=slot, pool_level_P=level, scratch_P=np.zeros(size, np.int32))


def slots_in_reach(state: State, count: int) -> int:
    """Slots that must exist so that ``count`` more flows can start."""
    return int(state.counts[HIGH]) - int(state.counts[FREE]) + count


def _hops(slots: int, links: int) -> Records:
    hops = np.zeros((slots, links), HOP)
    hops["link"] = -1
    return hops


def _longer(array: npt.NDArray[Scalar], size: int) -> npt.NDArray[Scalar]:
    longer: npt.NDArray[Scalar] = np.zeros(size, array.dtype)
    longer[: len(array)] = array
    return longer
