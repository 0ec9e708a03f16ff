"""What a simulation does to the flows: start, end, change of capacity."""

import math
from typing import Any

import numpy as np

from netsim.network.sharing.base import ROUNDING, TIE, Float64, Int64
from netsim.network.sharing.kernel_lists import append, reserve, take_slot, touch, withdraw
from netsim.network.sharing.kernel_state import EPOCH, HIGH, LINKS, State, compiled, inlined
from netsim.network.sharing.kernel_tree import due, lift_all


@compiled
def check(bits: Int64, ptr: Int64, links: Int64, weights: Float64, count: int) -> None:
    """Assert that these are flows over ``count`` links.

    On its own, because an assertion in ``start`` would keep numba from leaving out the
    counting of references in its loop.
    """
    for each in weights:
        assert 0.0 < each < np.inf
    for i in range(len(bits)):
        assert bits[i] > 0
        assert ptr[i] < ptr[i + 1]
        for k in range(ptr[i], ptr[i + 1]):
            assert 0 <= links[k] < count
            for other in range(ptr[i], k):
                assert links[k] != links[other]  # a route names a link once


@compiled
def start(
    state: State,
    now: float,
    bits: Int64,
    ptr: Int64,
    links: Int64,
    weights: Float64,
    slots: Int64,
) -> int:
    """Start flows; ``slots`` receives their slots.  Empty ``weights`` are all 1.

    If the pool lacks places nothing is started and the number of places wanted is returned.
    """
    lacking = reserve(state, links)
    if lacking > 0:
        return lacking
    for i in range(len(bits)):
        slot = take_slot(state)
        slots[i] = slot
        state.size_bits_S[slot] = bits[i]
        begin(state.flows_S[slot], bits[i], now)
        if len(state.weight_S) > 0:
            state.weight_S[slot] = weights[i] if len(weights) > 0 else 1.0
        peak_bps = np.inf
        for k in range(ptr[i], ptr[i + 1]):
            peak_bps = min(peak_bps, state.links_L[links[k]].capacity_bps)
        state.peak_bps_S[slot] = np.ceil(peak_bps)  # whole, so that sums of it are exact
        for k in range(ptr[i], ptr[i + 1]):
            append(state, slot, k - ptr[i], links[k])
            touch(state, links[k])
            state.links_L[links[k]].squeezed = state.counts[EPOCH]
    return 0


@inlined
def begin(flow: Any, bits: int, now: float) -> None:
    """A flow that has sent nothing and has no rate yet."""
    flow.left_bits = bits
    flow.settled_s = now
    flow.rate_bps = 0.0
    flow.mark = 0


@compiled
def complete(state: State, now: float) -> int:
    """End the flows due by ``now``; their slots are in ``state.list_S``, how many is returned."""
    count = due(state.finish_2S, now + TIE * now, state.list_S)
    for i in range(count):
        withdraw(state, state.list_S[i])
    forget(state, count)
    return count


@compiled
def abort(state: State, now: float, slots: Int64, sent: Int64) -> None:
    """End flows early; ``sent`` receives their whole bits."""
    count_sent(state, now, slots, sent)
    for i in range(len(slots)):
        state.list_S[i] = slots[i]
        withdraw(state, slots[i])
    forget(state, len(slots))


@compiled
def forget(state: State, count: int) -> None:
    """Take the finish times of the slots in ``state.list_S`` out of the tree."""
    for i in range(count):
        state.finish_2S[len(state.flows_S) + state.list_S[i]] = np.inf
    lift_all(state.finish_2S, state.list_S, count)


@compiled
def count_sent(state: State, now: float, slots: Int64, sent: Int64) -> None:
    """The whole bits sent by ``slots`` until ``now``.

    A count within the rounding error of a whole number of bits is that number.
    """
    for i in range(len(slots)):
        slot = slots[i]
        assert 0 <= slot < state.counts[HIGH]
        assert state.hops_SR[slot, 0].link >= 0  # the slot is in use
        flow = state.flows_S[slot]
        size = state.size_bits_S[slot]
        left = flow.left_bits - flow.rate_bps * (now - flow.settled_s)
        whole = math.floor(size - left + ROUNDING * size)
        sent[i] = min(max(whole, 0), size)


@compiled
def set_capacity(state: State, links: Int64, capacity_bps: Float64) -> None:
    """Change capacities; only a link that holds flows back, or would, is touched."""
    for i in range(len(links)):
        assert 0 <= links[i] < state.counts[LINKS]
        assert 0.0 <= capacity_bps[i] < np.inf
        record = state.links_L[links[i]]
        old = record.capacity_bps
        record.capacity_bps = capacity_bps[i]
        if record.length == 0 or capacity_bps[i] == old:
            continue
        if capacity_bps[i] < old:
            record.squeezed = state.counts[EPOCH]
        touch(state, links[i])
        refresh_peaks(state, links[i])


@compiled
def refresh_peaks(state: State, link: int) -> None:
    """Work out again what the flows of a link could take at most."""
    record = state.links_L[link]
    for slot in state.pool_slot_P[record.begin : record.begin + record.length]:
        least = np.inf
        hops = 0
        for hop in range(state.hops_SR.shape[1]):
            crossed = state.hops_SR[slot, hop].link
            if crossed < 0:
                break
            least = min(least, state.links_L[crossed].capacity_bps)
            hops += 1
        change = np.ceil(least) - state.peak_bps_S[slot]
        state.peak_bps_S[slot] += change
        for hop in range(hops):
            state.links_L[state.hops_SR[slot, hop].link].demand_bps += change
