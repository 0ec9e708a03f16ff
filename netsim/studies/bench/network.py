"""The cases of ``netsim bench network``."""

import time
from collections.abc import Callable

import numpy as np

from netsim.kernel import bench, run
from netsim.learning.volume import VolumeTask
from netsim.network.sharing import cases
from netsim.network.sharing.play import Case, play
from netsim.network.sharing.policies import fair_sharing
from netsim.scenario.document import Document
from netsim.studies.bench import peer as simgrid
from netsim.studies.bench.measured import Measured
from netsim.studies.bench.processes import main, peak_memory
from netsim.studies.play import Player
from netsim.studies.scenario import Scenario, problems

_DPSGD = """
name: dpsgd
rounds: 10
volume: {parameters: 89000}
network: {nodes: 1000, uplink: 20 Mbit/s, downlink: 20 Mbit/s, latency: 10 ms}
runs: [{kind: dpsgd, overlay: {kind: k_regular, degree: 4}}]
"""
_STAR = """
name: star
rounds: 1
volume: {parameters: 1000000}
network:
  nodes: 100000
  uplink: {kind: uniform, low: 10 Mbit/s, high: 100 Mbit/s}
  downlink: {kind: uniform, low: 10 Mbit/s, high: 100 Mbit/s}
  latency: 10 ms
  server: {uplink: 1 Gbit/s, downlink: 1 Gbit/s}
runs: [{kind: fedavg}]
"""
_ERIS = """
name: eris
rounds: 1
volume: {parameters: 1000000}
network: {nodes: 10000, uplink: 20 Mbit/s, downlink: 20 Mbit/s, latency: 10 ms}
runs: [{kind: eris, aggregators: 50}]
"""
_WARM_UP = """
name: warm-up
rounds: 1
volume: {parameters: 100}
network: {nodes: 4, uplink: 1 Mbit/s, downlink: 1 Mbit/s, latency: 1 ms}
runs: [{kind: eris}]
"""
_AGREE = 1e-6


def _scenario(text: str) -> tuple[float, float]:
    """Wall seconds and makespan of a scenario's first run, without values."""
    _played(_WARM_UP)
    begun = time.perf_counter()
    player = _played(text)
    return time.perf_counter() - begun, player.rounds[-1].end_s


def _played(text: str) -> Player:
    scenario = Document.of(text, "bench").parse(Scenario, problems)
    assert scenario.volume is not None
    task = VolumeTask(scenario.volume.parameters, scenario.network.nodes)
    player = Player(scenario, scenario.runs[0], task, lambda _: None)
    run(player.play())
    return player


def _transfers(name: str, case: Case, peer: bool = False) -> Measured:
    """A set of transfers on the sharing engine; with a ``peer``, on SimGrid as well."""
    play(cases.all_to_all(3), fair_sharing(cases.all_to_all(3).capacity_bps))
    begun = time.perf_counter()
    finish_s = play(case, fair_sharing(case.capacity_bps))
    seconds = time.perf_counter() - begun
    memory, makespan_s = peak_memory(), float(finish_s.max())
    python = simgrid.python_with_simgrid() if peer else None
    if python is None:
        return Measured(name, seconds, makespan_s, memory, simgrid.HOW if peer else None)
    peer_seconds, theirs_s = simgrid.play_on_simgrid(case, python)
    worst = float(np.max(np.abs(finish_s - theirs_s) / theirs_s))
    assert worst <= _AGREE, f"{name}: finish times differ from SimGrid's by {worst:g}"
    return Measured(
        name, seconds, makespan_s, memory, "SimGrid", peer_seconds, seconds / peer_seconds
    )


def _played_case(name: str, text: str) -> Measured:
    seconds, makespan_s = _scenario(text)
    return Measured(name, seconds, makespan_s, peak_memory())


def _sleeps(name: str, own: str) -> Measured:
    rates = bench.sleeps()
    count = 1_000_000
    return Measured(
        name,
        count / rates[own],
        None,
        peak_memory(),
        "SimPy",
        count / rates["simpy"],
        rates["simpy"] / rates[own],
    )


CASES: dict[str, Callable[[str], Measured]] = {
    "dpsgd_1000": lambda name: _played_case(name, _DPSGD),
    "alltoall_1000_equal": lambda name: _transfers(name, cases.all_to_all(1000, 1)),
    "alltoall_1000_classes": lambda name: _transfers(name, cases.all_to_all(1000, 3)),
    "alltoall_200_distinct": lambda name: _transfers(name, cases.all_to_all(200), peer=True),
    "regular_1000": lambda name: _transfers(name, cases.random_regular(1000), peer=True),
    "alltoall_1000_distinct": lambda name: _transfers(name, cases.all_to_all(1000)),
    "lognormal_200": lambda name: _transfers(name, cases.all_to_all_lognormal(200)),
    "staggered_200": lambda name: _transfers(name, cases.all_to_all_staggered(200)),
    "poisson_200": lambda name: _transfers(name, cases.poisson(200, 20_000)),
    "routers_1000": lambda name: _transfers(name, cases.over_routers(1000)),
    "gather_100000": lambda name: _transfers(name, cases.star(100_000, 1e13)),
    "star_100000": lambda name: _played_case(name, _STAR),
    "eris_10000": lambda name: _played_case(name, _ERIS),
    "sleeps": lambda name: _sleeps(name, "netsim"),
    "sleeps_asyncio": lambda name: _sleeps(name, "asyncio"),
}
"""What is measured, by name; each in a process of its own."""


if __name__ == "__main__":
    main(CASES)
