"""What docs/formulas.md says of rounds that leave the formulas, where no other test holds it."""

import math

import numpy as np
import pytest

from netsim.kernel import run
from netsim.network.sharing.fifo import Fifo
from netsim.network.sharing.play import Case, play
from netsim.network.sharing.policies import fair_sharing
from netsim.studies.play import Player
from netsim.studies.records import optimum_s, transfers_of
from netsim.studies.validate.drawn import DrawnTask
from netsim.studies.validate.rows import row_of
from netsim.studies.validate.timed import time_round
from netsim.theory.phase import Phase, phase_bound_s
from netsim.wire.indexed import IndexedSparse
from netsim.wire.sparsify import RandK

UNEQUAL = {"kind": "uniform", "low": "10 Mbit/s", "high": "100 Mbit/s"}


def test_fifty_clients_without_a_barrier(make):
    """Links of 10 to 100 Mbit/s, 320 Mbit, A = 15: 137 s where Eq. 53 says 200 s."""
    network = {"uplink": UNEQUAL, "downlink": UNEQUAL}
    setting = make([1] * 50, [1] * 50, 10_000_000, network, kind="eris", aggregators=15)
    free = time_round(setting, "round", "max_min")
    assert free.time_s == pytest.approx(137.046, abs=1e-3)
    assert free.formula == ("eq53", pytest.approx(200.311, abs=1e-3))
    assert optimum_s(free.transfers, free.topology) == pytest.approx(200.311, abs=1e-3)


def test_slower_without_a_barrier(make):
    """Aggregator 1 sends out as soon as it can, over a downlink that still collects: 10.5 s
    where collecting (6 s) and then sending out (3 s) would do."""
    setting = make([2, 2, 2], [1, 2, 2], 6, kind="eris", aggregators=2)
    assert time_round(setting, "phase", "max_min").time_s == pytest.approx(9)
    assert time_round(setting, "round", "max_min").time_s == pytest.approx(10.5)


@pytest.mark.parametrize(
    ("ratio", "degree"), [(1, 4), (2, 4), (3, 4), (5, 4), (3, 2), (5, 2), (10, 6)]
)
def test_how_far_eq55_is_too_small(make, ratio, degree):
    """min(r, downlink ÷ uplink) times, with one virtual node a node."""
    setting = make([2] * 8, [2 * ratio] * 8, 40, kind="shatter", virtual_nodes=1, degree=degree)
    row = row_of("shatter", "slow uplinks", setting, "phase")
    assert row.formula == "eq55"
    assert row.max_min_s / row.formula_s == pytest.approx(min(ratio, degree))


def moved(make, clients, kept, parameters, masks):
    """Which coordinates of the model the first round of ERIS moved, and the bits sent back.

    All clients have the same update, so that nothing cancels out.
    """
    compression = {"kind": "rand_k", "keep": kept, "masks": masks}
    links = [1] * clients
    setting = make(links, links, parameters, kind="eris", aggregators=2, compression=compression)
    task = DrawnTask(parameters, clients)
    scenario = setting.scenario("round", "max_min")
    player = Player(scenario, setting.config, task, lambda _: None)
    run(player.play())
    player.network.close()
    transfers = transfers_of(player.network, player.protocol.messages)
    back = transfers.kind == [kind.name for kind in transfers.kinds].index("model")
    return player.models[0].value() != 0, set(transfers.payload_bits[back].tolist())


@pytest.mark.parametrize("kept", [0.01, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("clients", [2, 10, 50])
def test_independent_masks_fill_what_comes_back(make, clients, kept):
    """At each aggregator 1 − (1 − p)^K of its coordinates, and it sends all of them back.

    Bernstein's bound holds, as masks of fixed size are negatively associated: over all seeds
    each of the two aggregators is off by more than ``slack`` with a chance of at most 1e-9.
    """
    shard = 10_000
    changed, back = moved(make, clients, kept, 2 * shard, "independent")
    assert RandK(kept).kept(shard) == round(kept * shard)
    share, tail = 1 - (1 - kept) ** clients, math.log(2 / 1e-9) / shard
    slack = math.sqrt(2 * share * (1 - share) * tail) + tail / 3
    for part in (changed[:shard], changed[shard:]):
        assert part.mean() == pytest.approx(share, abs=slack)
    assert back == {32 * shard}


def test_a_shared_mask_does_not(make):
    """One mask for all: exactly p in the first round."""
    changed, _ = moved(make, 10, 0.05, 20_000, "shared")
    assert changed[:10_000].sum() == changed[10_000:].sum() == 500


@pytest.mark.parametrize(("clients", "smaller"), [(20, True), (50, False)])
def test_when_positions_cost_more_than_they_save(make, clients, smaller):
    """p = 0.1: with their positions the coordinates of fifty clients are more bits than all."""
    changed, back = moved(make, clients, 0.1, 20_000, "independent")
    sparse_bits = IndexedSparse().sizes_at(10_000, np.flatnonzero(changed[:10_000])).wire_bits
    assert (sparse_bits < min(back)) == smaller


MNIST = 62_000
TCP = {"kind": "tcp", "handshake": False}


def mnist_s(make, aggregators, latency_ms, transport):
    """A round of ERIS with 50 clients, 248 KB and 20 MB/s each way, and its closed form."""
    network = {
        "uplink": "160 Mbit/s",
        "downlink": "160 Mbit/s",
        "latency": f"{latency_ms} ms",
        "transport": transport,
    }
    links = [1] * 50
    setting = make(links, links, MNIST, network, kind="eris", aggregators=aggregators)
    timed = time_round(setting, "round", "max_min")
    return timed.time_s, timed.formula[1]


@pytest.mark.parametrize("aggregators", [1, 10, 40])
@pytest.mark.parametrize("latency_ms", [5, 200])
def test_latency_is_added_once_a_phase(make, aggregators, latency_ms):
    """Whatever A is; Eq. 53 is exact but for it, up to parameters that A does not divide."""
    time_s, formula_s = mnist_s(make, aggregators, latency_ms, {"kind": "fluid"})
    assert time_s - 2e-3 * latency_ms == pytest.approx(formula_s, rel=1e-3)


@pytest.mark.parametrize("transport", [{"kind": "fluid"}, TCP], ids=["fluid", "tcp"])
@pytest.mark.parametrize(("latency_ms", "enough"), [(0, 46), (5, 44), (50, 34), (200, 19)])
def test_where_more_aggregators_stop_helping(make, latency_ms, enough, transport):
    """From so many on, a round is at most 10 % longer than with all fifty."""
    fewer_s, enough_s, all_s = (
        mnist_s(make, count, latency_ms, transport)[0] for count in (enough - 1, enough, 50)
    )
    assert fewer_s > 1.1 * all_s >= enough_s


@pytest.mark.parametrize(("latency_ms", "fall"), [(50, 0.43), (200, 0.60)])
def test_slow_start_is_over_when_a_shard_fits_the_first_window(make, latency_ms, fall):
    """Ten segments of 1448 B hold 1/18 of 248 KB, not 1/17: one aggregator more saves so much."""
    assert 4 * math.ceil(MNIST / 18) <= 10 * 1448 < 4 * MNIST / 17
    before_s, after_s = (mnist_s(make, count, latency_ms, TCP)[0] for count in (17, 18))
    assert 1 - after_s / before_s == pytest.approx(fall, abs=0.01)
    plain_s, fluid_s = (mnist_s(make, c, latency_ms, {"kind": "fluid"})[0] for c in (17, 18))
    assert 1 - fluid_s / plain_s < 0.03


@pytest.mark.parametrize("clients", [2, 3, 5, 10])
def test_fifo_sends_to_one_aggregator_after_the_other(make, clients):
    """All aggregate: K/2 times as long as with fair rates; without a barrier a little more."""
    links = [1] * clients
    setting = make(links, links, clients**2, kind="eris")
    row = row_of("eris", "equal", setting, "phase")
    assert row.max_min_s == pytest.approx(row.optimum_s)
    assert row.fifo_s / row.max_min_s == pytest.approx(clients / 2)
    if clients == 10:
        free = row_of("eris", "equal", setting, "round")
        assert free.fifo_s / free.max_min_s == pytest.approx(5.196, abs=1e-3)


@pytest.mark.parametrize(("turned", "ratio"), [(False, 5), (True, 1)])
def test_another_order_makes_fifo_as_good(turned, ratio):
    """One phase of ten nodes that send to all others: from the first node on, or from the next."""
    nodes = np.arange(10)
    senders = np.repeat(nodes, 9)
    receivers = np.concatenate([np.roll(np.delete(nodes, n), -n if turned else 0) for n in nodes])
    phase = Phase.between(senders, receivers, np.full(90, 1000))
    rates, none = np.full(20, 1e6), np.zeros(0)
    routes = phase.route_ptr, phase.route_links
    changes = none, none.astype(np.int64), none
    case = Case(rates, phase.size_bits, *routes, np.zeros(90), *changes)
    ends_s = play(case, Fifo(fair_sharing(rates)))
    assert ends_s.max() / phase_bound_s(phase, rates) == pytest.approx(ratio)
