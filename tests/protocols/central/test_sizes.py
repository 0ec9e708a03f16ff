"""How large shards are, and what it gains."""

import numpy as np
import pytest

from netsim.network.config import NetworkConfig
from netsim.network.topology import Topology
from netsim.protocols.aggregation.sizes import (
    Load,
    optimal_shares,
    proportional_shares,
    whole_sizes,
)
from netsim.studies.records import optimum_s


def topology(uplinks, downlink="1 MB/s", **more):
    access = {"uplink": uplinks, "downlink": downlink, "latency": "0 s"}
    return Topology.build(NetworkConfig.model_validate(access | {"nodes": len(uplinks)} | more))


def load(clients, owners):
    return Load(list(range(owners)), list(range(clients)), 1e6, 1e6)


def test_equal_rates_get_equal_shards():
    """By symmetry, for either rule."""
    net = topology(["1 MB/s"] * 4)
    for rule in (proportional_shares, optimal_shares):
        assert rule(load(4, 4), net) == pytest.approx([0.25] * 4)


def test_proportional_to_the_slower_rate():
    """1 and 3 MB/s up, 2 MB/s down: 1 to 2."""
    net = topology(["1 MB/s", "3 MB/s", "1 MB/s"], "2 MB/s")
    assert proportional_shares(load(3, 2), net) == pytest.approx([1 / 3, 2 / 3])


def test_remainders_go_to_the_largest():
    """Sizes add up whatever the shares."""
    assert whole_sizes(np.array([0.5, 0.3, 0.2]), 7).tolist() == [4, 2, 1]
    for total in (0, 1, 98, 99, 1000):
        assert whole_sizes(np.full(49, 1 / 49), total).sum() == total


@pytest.mark.parametrize("half_duplex", [False, True])
def test_the_programme_beats_random_shares_and_the_record_agrees(play, toy, half_duplex):
    """No cut of 300 random ones is faster by the bound of what was sent."""
    uplinks = ["1 MB/s", "2 MB/s", "4 MB/s", "8 MB/s", "8 MB/s"]
    network = {"uplink": uplinks, "count": "payload", "half_duplex": half_duplex}
    network |= {"downlink": None if half_duplex else "4 MB/s"}

    def bound(shards):
        layer = {"kind": "eris", "aggregators": 4, "shards": shards}
        run = play(layer, toy(5, 20_000), rounds=1, network=network)
        return optimum_s(run.transfers, run.player.topology), run.player.protocol

    best, protocol = bound("optimal")
    assert best <= bound("proportional")[0] * (1 + 1e-3)
    assert best < bound("equal")[0]
    net = topology(uplinks, network["downlink"], half_duplex=half_duplex)
    from netsim.protocols.aggregation.sizes import _rows

    rows = np.array(_rows(load(5, 4), net))

    def total(shares):
        seconds = rows[:, :4] @ shares
        return sum(seconds[rows[:, 4 + phase] < 0].max() for phase in (0, 1))

    least = total(optimal_shares(load(5, 4), net))
    rng = np.random.default_rng(1)
    assert all(total(rng.dirichlet(np.ones(4))) >= least * (1 - 1e-9) for _ in range(300))
    assert best == pytest.approx(least * 20_000 * 32 / 1e6, rel=1e-3)
    sizes = protocol._cuts.fixed.sizes
    assert protocol.notes()["largest_shard"] == sizes.max() / 20_000
