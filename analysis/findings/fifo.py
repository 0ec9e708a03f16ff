"""One message at a time per uplink, in the order of sending, against max-min fair rates."""

from collections.abc import Callable

import numpy as np

from analysis.findings.settings import equal, setting
from analysis.plots import Panel, Point
from netsim.kernel.streams import Streams
from netsim.network.sharing.fifo import Fifo
from netsim.network.sharing.play import Case, play
from netsim.network.sharing.policies import fair_sharing
from netsim.network.topology import Int64
from netsim.studies.validate.timed import Barrier, time_round
from netsim.theory.phase import Phase, phase_bound_s

COUNTS = (2, 3, 4, 5, 7, 10, 15, 20, 30)
Order = Callable[[int, int], Int64]


def panels() -> list[Panel]:
    """ERIS in which all aggregate, and one phase of it in other orders of sending."""
    barriers: dict[str, Barrier] = {
        "ERIS, with a barrier: line K/2": "phase",
        "ERIS, without": "round",
    }
    lines = {
        name: [Point(k, k / 2 if each == "phase" else None, eris(k, each)) for k in COUNTS]
        for name, each in barriers.items()
    }
    orders = {
        "one phase, random order": at_random,
        "one phase, each begins with the next": next_first,
    }
    lines |= {
        name: [Point(k, None, one_phase(k, order)) for k in COUNTS]
        for name, order in orders.items()
    }
    return [Panel("equal links, A=K", "clients K", True, lines, "time with fifo ÷ with max-min")]


def eris(clients: int, barrier: Barrier) -> float:
    """How many times a round takes; clients send to aggregator 0 first, then to 1 and so on."""
    made = setting({"kind": "eris"}, equal(clients), parameters=1000 * clients)
    fifo_s, fair_s = (time_round(made, barrier, each).time_s for each in ("fifo", "max_min"))
    return fifo_s / fair_s


def one_phase(clients: int, order: Order) -> float:
    """Of K nodes that send a message each to all others, against the phase bound."""
    senders = np.repeat(np.arange(clients), clients - 1)
    receivers = np.concatenate([order(node, clients) for node in range(clients)])
    phase = Phase.between(senders, receivers, np.full(len(senders), 1000))
    rates, none = np.full(2 * clients, 1e6), np.zeros(0)
    case = Case(
        rates,
        phase.size_bits,
        phase.route_ptr,
        phase.route_links,
        np.zeros(len(senders)),
        none,
        none.astype(np.int64),
        none,
    )
    return float(play(case, Fifo(fair_sharing(rates))).max()) / phase_bound_s(phase, rates)


def next_first(node: int, clients: int) -> Int64:
    """The others in the order of a ring, from the next on."""
    return (node + np.arange(1, clients)) % clients


def at_random(node: int, clients: int) -> Int64:
    """The others in a random order."""
    return Streams(0).rng("order", node, clients).permutation(next_first(node, clients))
