"""Links whose rates change over time, as SimPy processes."""

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import simpy

from netsim.network.sharing.base import Float64, Int64
from netsim.network.steps import Steps, TraceConfig

if TYPE_CHECKING:
    from netsim.network.topology import Topology

SetCapacity = Callable[[Int64, Float64], None]
"""Called with links [q] and their rates from now on, bit/s [q]."""


def start_traces(
    env: simpy.Environment,
    topology: "Topology",
    traces: Sequence[TraceConfig],
    set_capacity: SetCapacity,
) -> None:
    """Set the first rates of ``traces`` now, and start a process for each that sets the others.

    Times count from now.  A node that is like a client follows that client's traces.  A trace
    that repeats never ends: stop the run when it is done.  Raises `CsvError` for a file that
    cannot be used.
    """
    for trace in traces:
        steps, links = trace.steps(), traced_links(topology, trace)
        set_capacity(links, np.full(len(links), steps.rate_bps[0]))
        env.process(_play(env, steps, links, set_capacity))


def _play(
    env: simpy.Environment, steps: Steps, links: Int64, set_capacity: SetCapacity
) -> Generator[simpy.Event, None, None]:
    start = env.now
    for time_s, rate_bps in steps.changes():
        yield env.timeout(max(0.0, start + time_s - env.now))
        set_capacity(links, np.full(len(links), rate_bps))


def traced_links(topology: "Topology", trace: TraceConfig) -> Int64:
    """The links whose rates a trace sets."""
    clients = trace.clients(topology.clients)
    hosts = np.flatnonzero(np.isin(topology.like_H, clients))
    if topology.half_duplex or trace.link == "uplink":
        return 2 * hosts
    if trace.link == "downlink":
        return 2 * hosts + 1
    return np.concatenate([2 * hosts, 2 * hosts + 1])
