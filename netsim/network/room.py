"""How many bits links can carry between two instants, where traces change their rates too."""

import numpy as np

from netsim.network.steps import Steps
from netsim.network.topology import Float64, Int64, Topology
from netsim.network.traces import traced_links


def room_bits(topology: Topology, link_E: Int64, start_s_E: Float64, end_s_E: Float64) -> Float64:
    """What each link can carry from its start to its end, bit; shapes [E].

    Failures are not looked at.  Raises `CsvError` for a trace that cannot be read.
    """
    room_E = topology.capacity_bps_L[link_E] * (end_s_E - start_s_E)
    for trace in topology.traces:
        steps = trace.steps()
        at = np.isin(link_E, traced_links(topology, trace))
        room_E[at] = _bits_until(steps, end_s_E[at]) - _bits_until(steps, start_s_E[at])
    return room_E


def _bits_until(steps: Steps, time_s_E: Float64) -> Float64:
    """What a link with these rates can have carried until each time."""
    starts_s, rates_bps = np.array(steps.time_s), np.array(steps.rate_bps)
    until = np.concatenate([[0.0], np.cumsum(rates_bps[:-1] * np.diff(starts_s))])
    within_s, before = time_s_E, np.zeros(len(time_s_E))
    if steps.repeat and len(starts_s) > 1:
        period_s = steps.period_s
        before, within_s = np.divmod(time_s_E, period_s)
        before *= until[-1] + rates_bps[-1] * (period_s - starts_s[-1])
    step = np.searchsorted(starts_s, within_s, side="right") - 1
    return np.asarray(before + until[step] + rates_bps[step] * (within_s - starts_s[step]))
