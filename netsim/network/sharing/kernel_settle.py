"""Bits a flow has left, brought up to date only when its rate changes."""

import numpy as np

from netsim.network.sharing.base import ROUNDING
from netsim.network.sharing.kernel_state import State, compiled


@compiled
def settle(state: State, slot: int, rate_bps: float, now: float) -> None:
    """Count what the flow sent at its old rate and find when it ends at the new one."""
    flow = state.flows_S[slot]
    left = flow.left_bits - flow.rate_bps * (now - flow.settled_s)
    flow.left_bits = left
    flow.settled_s = now
    flow.rate_bps = rate_bps
    state.finish_2S[len(state.flows_S) + slot] = finish(left, rate_bps, now, slot, state)


@compiled
def finish(left: float, rate_bps: float, now: float, slot: int, state: State) -> float:
    """When ``left`` bits are sent; a flow that is done ends now even at rate zero."""
    if rate_bps > 0.0:
        return now + max(left, 0.0) / rate_bps
    if left <= ROUNDING * state.size_bits_S[slot]:
        return now
    return np.inf
