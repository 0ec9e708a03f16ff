"""What links can carry between two instants."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.network.config import NetworkConfig
from netsim.network.room import room_bits
from netsim.network.steps import Steps
from netsim.network.topology import Guest, Topology

TRACE = "time_s,rate\n0,8 kbit/s\n5,4 kbit/s\n"


def topology(**changes):
    rates = {"uplink": "1 Mbit/s", "downlink": "2 Mbit/s"}
    return Topology.build(
        NetworkConfig.model_validate({"nodes": 2} | rates | changes), (Guest("server"),)
    )


def room(net, links, start_s, end_s):
    times = (np.full(len(links), float(each)) for each in (start_s, end_s))
    return room_bits(net, np.array(links), *times).tolist()


def test_rate_times_time_without_traces():
    """Uplinks, downlinks, and no time at all."""
    assert room(topology(), [0, 1, 4], 1, 3) == [2e6, 4e6, 2e6]
    assert room(topology(), [0], 3, 3) == [0]


@pytest.mark.parametrize(
    ("after", "start_s", "end_s", "bits"),
    [
        ("hold", 0, 5, 40_000),
        ("hold", 4, 7, 16_000),
        ("hold", 100, 101, 4_000),
        ("repeat", 0, 10, 60_000),
        ("repeat", 9, 11, 12_000),
        ("repeat", 100, 110, 60_000),
    ],
)
def test_a_trace_by_hand(tmp_path, after, start_s, end_s, bits):
    """8 kbit/s for five seconds, then 4 kbit/s: for ever, or for five seconds as well."""
    path = tmp_path / "trace.csv"
    path.write_text(TRACE)
    traces = [{"file": path, "nodes": [1], "link": "uplink", "after": after}]
    found = room(topology(traces=traces), [0, 2, 3], start_s, end_s)
    assert found == [1e6 * (end_s - start_s), bits, 2e6 * (end_s - start_s)]


rates = st.integers(0, 1000).map(float)


@given(
    gaps_s=st.lists(st.integers(1, 9), min_size=0, max_size=4),
    rates_bps=st.lists(rates, min_size=5, max_size=5),
    repeat=st.booleans(),
    ends=st.tuples(st.integers(0, 60), st.integers(0, 60)).map(sorted),
)
def test_the_sum_over_its_changes(tmp_path_factory, gaps_s, rates_bps, repeat, ends):
    """Second by second, as the processes that set the rates see them."""
    times_s = tuple(map(float, [0, *itertools.accumulate(gaps_s)]))
    steps = Steps(times_s, tuple(rates_bps[: len(times_s)]), repeat)
    path = tmp_path_factory.mktemp("trace") / "trace.csv"
    lines = [f"{t:g},{int(r)}" for t, r in zip(steps.time_s, steps.rate_bps, strict=True)]
    path.write_text("\n".join(["time_s,rate", *lines]))
    changes = dict(itertools.takewhile(lambda each: each[0] <= 60, steps.changes()))
    rate, total = steps.rate_bps[0], 0.0
    for second in range(60):
        rate = changes.get(float(second), rate)
        total += rate * (ends[0] <= second < ends[1])
    if repeat and not any(steps.rate_bps):
        return
    after = "repeat" if repeat else "hold"
    net = topology(traces=[{"file": path, "nodes": [0], "after": after}])
    assert room(net, [0], *ends) == pytest.approx([total])
