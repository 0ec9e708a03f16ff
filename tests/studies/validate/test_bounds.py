"""Proven bounds in random networks, played by the protocols themselves.

A few hundred here; ten thousand by ``pytest -m slow tests/studies/validate/test_bounds.py``.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netsim.studies.records import optimum_s
from netsim.studies.scenario import Scenario
from netsim.studies.validate.bounds import free_bound_s
from netsim.studies.validate.timed import Setting, Timed, time_round
from netsim.studies.validate.verdicts import PROVEN

SAME = 1e-9
RATES = st.integers(1, 1000).map(lambda rate: f"{rate} kbit/s")
PROTOCOLS = (
    {"kind": "fedavg"},
    {"kind": "min_leakage"},
    {"kind": "priprune", "rate": 0.3},
    {"kind": "soteriafl", "compression": {"kind": "rand_k", "keep": 0.3}},
    {"kind": "fedavg", "aggregation": {"kind": "fsa", "shards": "proportional"}},
    {"kind": "eris"},
    {"kind": "eris", "aggregators": 2},
    {"kind": "eris", "shards": "optimal"},
    {"kind": "eris", "aggregators": 2, "compression": {"kind": "rand_k", "keep": 0.2}},
    {"kind": "dpsgd"},
    {"kind": "dpsgd", "overlay": {"kind": "star"}},
    {"kind": "epidemic"},
    {"kind": "el_local"},
    {"kind": "muffliato"},
    {"kind": "ako", "partitions": 3},
    {"kind": "q_dpsgd_1"},
    {"kind": "shatter", "virtual_nodes": 2},
    {"kind": "shatter", "virtual_nodes": 2, "links": "own"},
)


@st.composite
def networks(draw: st.DrawFn) -> dict[str, Any]:
    """Two to six clients with rates of their own; sometimes slow trunks or one link a node."""
    nodes = draw(st.integers(2, 6))
    rates = st.lists(RATES, min_size=nodes, max_size=nodes)
    network: dict[str, Any] = {"nodes": nodes, "uplink": draw(rates)}
    server = {"uplink": draw(RATES)}
    if draw(st.integers(0, 4)) == 0:
        network["half_duplex"] = True
    else:
        network["downlink"] = draw(rates)
        server["downlink"] = draw(RATES)
    if draw(st.integers(0, 4)) == 0:
        clusters = draw(st.integers(2, 3))
        trunks = {"kind": "star_of_clusters", "clusters": clusters, "rate": draw(RATES)}
        network["underlay"] = trunks
    return network | {"server": server}


@st.composite
def drawn_settings(draw: st.DrawFn) -> Setting:
    """A protocol on such a network."""
    parameters = draw(st.integers(20, 2000))
    scenario = Scenario.model_validate(
        {
            "name": "random",
            "rounds": 1,
            "volume": {"parameters": parameters},
            "network": draw(networks()),
            "runs": [draw(st.sampled_from(PROTOCOLS))],
        }
    )
    seed = draw(st.integers(0, 2**20))
    return Setting(scenario.runs[0], scenario.network, parameters, seed)


def check(setting: Setting) -> None:
    """Nothing is faster than a bound, the best rates attain the phases', formulas hold."""
    fair = time_round(setting, "phase", "max_min")
    bound_s = optimum_s(fair.transfers, fair.topology)
    assert bound_s is not None
    assert time_round(setting, "phase", "optimal").time_s == pytest.approx(bound_s, rel=SAME)
    free = time_round(setting, "round", "max_min")
    free_s = free_bound_s(free.transfers, free.topology)
    assert free_s <= bound_s * (1 + SAME)
    for timed, least_s in ((fair, bound_s), (free, free_s)):
        holds(timed, least_s)
    holds(time_round(setting, "phase", "fifo"), bound_s)
    holds(time_round(setting, "round", "fifo"), free_s)
    holds(time_round(setting, "round", "optimal"), free_s)


def holds(timed: Timed, least_s: float) -> None:
    assert least_s <= timed.time_s * (1 + SAME)
    if timed.formula is not None and timed.formula[0] in PROVEN:
        assert timed.formula[1] <= timed.time_s * (1 + SAME)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn_settings())
def test_bounds(setting: Setting) -> None:
    """A few hundred random networks."""
    check(setting)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn_settings())
def test_bounds_in_ten_thousand_networks(setting: Setting) -> None:
    """Ten thousand."""
    check(setting)


def test_free_bound_of_a_server(make) -> None:
    """A server sends when it has all: both phases count, whatever the barrier."""
    timed = time_round(make([1, 2], [1, 2], 8, kind="fedavg"), "round", "max_min")
    assert free_bound_s(timed.transfers, timed.topology) == pytest.approx(timed.time_s)


def test_free_bound_of_whole_links(make) -> None:
    """Where no node waits for anything a link's whole load counts."""
    timed = time_round(make([1, 1, 1], [1, 1, 1], 6, kind="dpsgd"), "round", "max_min")
    assert free_bound_s(timed.transfers, timed.topology) == 12 == timed.time_s
