"""Rates and latencies of clients: stated, drawn, by class.

Statistical tests run at one seed; under the hypothesis they would fail for one seed in 10^4.
"""

import re
from typing import Any

import numpy as np
import pytest
from scipy import stats

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.topology import Guest, Topology
from netsim.scenario.config import Config
from netsim.scenario.document import Document
from netsim.scenario.errors import ScenarioError
from netsim.scenario.resolve import dump

ALPHA = 1e-4
FIBRE = {"name": "fibre", "share": "60 %", "uplink": "1 Gbit/s", "downlink": "2 Gbit/s"}
CABLE = {"name": "cable", "share": 0.3, "uplink": "50 Mbit/s", "downlink": "500 Mbit/s"}
MOBILE = {
    "name": "mobile",
    "share": "10 %",
    "uplink": {"kind": "uniform", "low": "1 Mbit/s", "high": "9 Mbit/s"},
    "downlink": "20 Mbit/s",
    "latency": "40 ms",
}


class Scenario(Config):
    network: NetworkConfig


def config(nodes: int, **fields: Any) -> NetworkConfig:
    rates = {} if "classes" in fields else {"uplink": "1 Mbit/s", "downlink": "1 Mbit/s"}
    return NetworkConfig.model_validate({"nodes": nodes, **rates, **fields})


def uplinks(given: Any, nodes: int, seed: int = 3) -> Any:
    return Topology.build(config(nodes, uplink=given), (), Streams(seed)).uplink_bps_H


def errors(text: str) -> list[tuple[str, str]]:
    """What each error points at, up to the next comma or colon, and the error."""
    line = f"network: {text}"
    with pytest.raises(ScenarioError) as caught:
        Document.of(line, "f.yaml").parse(
            Scenario, lambda s: ((("network", *loc), m) for loc, m in s.network.problems())
        )
    return [
        (re.split("[,:}]", line[(each.column or 0) - 1 :])[0], str(each).split(": ", 1)[1])
        for each in caught.value.problems
    ]


def test_bare_quantity_is_for_all() -> None:
    assert uplinks("20 MB/s", 3).tolist() == [160e6] * 3
    assert uplinks({"kind": "constant", "value": "20 MB/s"}, 3).tolist() == [160e6] * 3


@pytest.mark.parametrize("wrap", [False, True])
def test_list_is_one_a_client(wrap: bool) -> None:
    values = ["1 bit/s", "3 bit/s", "2 bit/s"]
    assert uplinks({"kind": "list", "values": values} if wrap else values, 3).tolist() == [1, 3, 2]


CONTINUOUS = [
    (
        {"kind": "uniform", "low": "2 Mbit/s", "high": "6 Mbit/s"},
        stats.uniform(2e6, 4e6),
    ),
    (
        {"kind": "lognormal", "median": "20 Mbit/s", "sigma": 0.7},
        stats.lognorm(0.7, scale=20e6),
    ),
    ({"kind": "pareto", "minimum": "5 Mbit/s", "alpha": 1.5}, stats.pareto(1.5, scale=5e6)),
]


@pytest.mark.parametrize(("given", "law"), CONTINUOUS)
def test_distribution_has_its_law(given: Any, law: Any) -> None:
    """Kolmogorov–Smirnov on 100,000 clients."""
    assert stats.kstest(uplinks(given, 100_000), law.cdf).pvalue > ALPHA


def test_choice_has_its_weights() -> None:
    """Chi-square on 20,000 clients; a weight of zero is never met."""
    values = ["1 bit/s", "2 bit/s", "3 bit/s"]
    drawn = uplinks({"kind": "choice", "values": values, "weights": [5, 3, 0]}, 20_000)
    counts = [int((drawn == value).sum()) for value in (1, 2, 3)]
    assert counts[2] == 0
    assert stats.chisquare(counts[:2], [12_500, 7_500]).pvalue > ALPHA
    even = uplinks({"kind": "choice", "values": values}, 20_000)
    assert stats.chisquare(np.unique(even, return_counts=True)[1]).pvalue > ALPHA


def test_uplink_downlink_and_latency_are_independent() -> None:
    """Rank correlations of 20,000 clients."""
    law = {"kind": "pareto", "minimum": "5 Mbit/s", "alpha": 2}
    latency = {"kind": "pareto", "minimum": "5 ms", "alpha": 2}
    net = Topology.build(config(20_000, uplink=law, downlink=law, latency=latency))
    columns = (net.uplink_bps_H, net.downlink_bps_H, net.latency_s_H)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert stats.spearmanr(columns[a], columns[b]).pvalue > ALPHA


@pytest.mark.parametrize("given", [law for law, _ in CONTINUOUS])
def test_draws_depend_on_the_seed_alone(given: Any) -> None:
    """More clients, or a protocol's guests, leave the first clients' rates as they are."""
    rates = uplinks(given, 10)
    assert rates.tolist() == uplinks(given, 10).tolist()
    assert rates.tolist() == uplinks(given, 15)[:10].tolist()
    assert rates.tolist() != uplinks(given, 10, seed=4).tolist()
    guests = (Guest("server"), Guest("mask", like=2))
    with_guests = Topology.build(config(10, uplink=given), guests, Streams(3)).uplink_bps_H
    assert with_guests.tolist() == [*rates, np.median(rates), rates[2]]


def test_override_and_server_come_after_the_draw() -> None:
    law = CONTINUOUS[0][0]
    own = config(4, uplink=law, overrides={1: {"uplink": "7 bit/s"}}, server={"uplink": "9 bit/s"})
    net = Topology.build(own, (Guest("server"),), Streams(3))
    drawn = uplinks(law, 4)
    assert net.uplink_bps_H.tolist() == [drawn[0], 7, drawn[2], drawn[3], 9]


@pytest.mark.parametrize(("nodes", "counts"), [(10, [6, 3, 1]), (7, [4, 2, 1]), (1, [1, 0, 0])])
def test_classes_have_their_exact_shares(nodes: int, counts: list[int]) -> None:
    """Of 7: quotas 4.2, 2.1, 0.7; the node left over goes to the largest remainder."""
    net = Topology.build(config(nodes, classes=[FIBRE, CABLE, MOBILE]), (), Streams(3))
    assert [net.class_K.count(name) for name in ("fibre", "cable", "mobile")] == counts


def test_classes_give_rates_and_latency_together() -> None:
    net = Topology.build(config(100, classes=[FIBRE, CABLE, MOBILE]), (), Streams(3))
    for at, name in enumerate(net.class_K):
        up, down, latency = net.uplink_bps_H[at], net.downlink_bps_H[at], net.latency_s_H[at]
        if name == "mobile":
            assert 1e6 <= up < 9e6
            assert (down, latency) == (20e6, 0.04)
        else:
            rates = {"fibre": (1e9, 2e9, 0), "cable": (50e6, 500e6, 0)}
            assert (up, down, latency) == rates[name]
    mobile = [at for at, name in enumerate(net.class_K) if name == "mobile"]
    assert len(set(net.uplink_bps_H[mobile])) == len(mobile)


def test_who_is_in_a_class_is_random() -> None:
    """Over 600 seeds each of 5 nodes is the one mobile node equally often (chi-square)."""
    mine = config(5, classes=[{**FIBRE, "share": 0.8}, {**MOBILE, "share": "20%"}])
    seeds = range(600)
    place = [Topology.build(mine, (), Streams(s)).class_K.index("mobile") for s in seeds]
    assert stats.chisquare(np.bincount(place, minlength=5)).pvalue > ALPHA


def test_without_classes_there_are_no_names() -> None:
    assert Topology.build(config(3)).class_K == ()


def test_half_duplex_has_the_uplink_both_ways() -> None:
    law = CONTINUOUS[0][0]
    mine = {"nodes": 3, "uplink": law, "half_duplex": True, "overrides": {1: {"uplink": "5 bit/s"}}}
    net = Topology.build(NetworkConfig.model_validate(mine), (Guest("server"),))
    assert net.uplink_bps_H.tolist() == net.downlink_bps_H.tolist()
    assert net.uplink_bps_H[1] == 5
    assert len(net.uplink_bps_H) == 4


@pytest.mark.parametrize("given", [law for law, _ in CONTINUOUS])
def test_resolved_scenario_reads_the_same(given: Any) -> None:
    mine = Scenario(network=config(2, uplink=given, downlink=["1 Mbit/s", "2 Mbit/s"]))
    assert Document.of(dump(mine), "g.yaml").parse(Scenario) == mine
    classes = Scenario(network=config(10, classes=[FIBRE, CABLE, MOBILE]))
    assert Document.of(dump(classes), "g.yaml").parse(Scenario) == classes


def test_every_error_has_its_place() -> None:
    assert errors("{nodes: 3, uplink: 20, downlink: {kind: lognrmal, median: 20 Mbit/s}}") == [
        ("20", "network.uplink: '20' has no unit; write '20 Mbit/s' or '20 MB/s'"),
        (
            "lognrmal",
            "network.downlink.kind: unknown kind 'lognrmal'; did you mean 'lognormal'? "
            "known: constant, list, choice, uniform, lognormal, pareto",
        ),
    ]
    assert errors(
        "{nodes: 3, uplink: {kind: choice, values: [1 bit/s, 2 bit/s], weights: [1]},"
        " downlink: {kind: uniform, low: 2 bit/s, high: 1 bit/s}, latency: [1 ms]}"
    ) == [
        ("[1]", "network.uplink.weights: 1 weights for 2 values"),
        ("1 bit/s", "network.downlink.high: is less than low"),
        ("[1 ms]", "network.latency: 1 values for 3 nodes; write one a node"),
    ]
    assert errors("{nodes: 3, half_duplex: true, uplink: 2 bit/s, downlink: 1 bit/s}") == [
        ("1 bit/s", "network.downlink: half_duplex has one link, of rate uplink; leave it out")
    ]
    assert errors("{nodes: 3}") == [
        ("{nodes", "network.uplink: missing key 'uplink' (or 'classes')"),
        ("{nodes", "network.downlink: missing key 'downlink'"),
    ]


def test_every_error_of_classes_has_its_place() -> None:
    good = "name: a, share: 60 %, uplink: 1 bit/s, downlink: 1 bit/s"
    assert errors(f"{{nodes: 3, classes: [{{{good}}}, {{name: b, share: 40}}]}}") == [
        ("{name", "network.classes[1].uplink: missing key 'uplink'"),
        ("40", "network.classes[1].share: 40 is more than all nodes; write '40 %'"),
    ]
    assert errors(
        f"{{nodes: 3, uplink: 2 bit/s, classes: [{{{good}}},"
        " {name: a, share: 30 %, uplink: [1 bit/s], downlink: 1 bit/s}]}"
    ) == [
        ("2 bit/s", "network.uplink: the classes give it; leave uplink out, or the classes"),
        ("[{name", "network.classes: the shares add up to 90 %, not 100 %"),
        ("a", "network.classes[1].name: another class is called 'a'"),
        (
            "[1 bit/s]",
            "network.classes[1].uplink: a class has no list of its nodes; "
            "write one value or a draw",
        ),
    ]


def test_build_refuses_what_is_wrong() -> None:
    with pytest.raises(ScenarioError, match=r"seed 5: network\.uplink: 2 values for 3 nodes"):
        uplinks(["1 bit/s", "2 bit/s"], 3, seed=5)
