"""Starts what happens to a network in continuous time: outages, churn, changing rates."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

import simpy

from netsim.kernel import running_loop
from netsim.kernel.deadlock import deadlock
from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.faults.config import Failures, NodesTrace, Outages
from netsim.network.faults.processes import outages, play, read_trace
from netsim.network.network import Network
from netsim.network.traces import start_traces
from netsim.scenario.units import duration_text
from netsim.studies.presence import Presence


@dataclass(frozen=True)
class Patience:
    """After ``time_s`` in which nothing arrived and, at its end, nobody ``computes`` a run in
    which something goes on for ever counts as a deadlock."""

    time_s: float
    computes: Callable[[], bool]


def start(
    failures: Failures,
    streams: Streams,
    network: Network,
    presence: Presence,
    patience: Patience,
) -> None:
    """Start the processes of ``failures``.  Raises `CsvError` for a file that is no trace.

    Outages go on for ever, so that a run in which nothing can happen any more would too, were
    there no ``patience``.
    """
    env = running_loop().env
    if isinstance(failures.nodes, NodesTrace):
        play(env, read_trace(failures.nodes.file, presence.clients), presence.turn)
    if isinstance(failures.links, Outages):
        hosts = len(network.topology.uplink_bps_H)
        outages(env, failures.links, streams, hosts, network.switch)
        env.process(_watch(env, network, patience))


def start_rates(config: NetworkConfig, network: Network, patience: Patience) -> None:
    """Start the traces of changing rates; see ``start`` on patience."""
    env = running_loop().env
    start_traces(env, network.topology, config.traces, network.set_capacity)
    if any(trace.after == "repeat" for trace in config.traces):
        env.process(_watch(env, network, patience))


def _watch(
    env: simpy.Environment, network: Network, patience: Patience
) -> Generator[simpy.Event, None, None]:
    loop, arrived = running_loop(), -1
    while network.arrivals > arrived or patience.computes():
        arrived = network.arrivals
        yield env.timeout(patience.time_s)
    waited = duration_text(patience.time_s)
    what = f"nothing arrived in the {waited} (patience) before {env.now:g} s"
    raise deadlock(loop.tasks(), env.now, what)
