"""Runs on links whose rates change."""

import pytest


def test_a_traced_link_that_is_full_is_the_bottleneck(read, play, tmp_path):
    """A model of 48 kbit takes 7 s up: 40 kbit in 5 s and 8 kbit in 2 s; the link is busy all of
    the time, and nothing else is."""
    path = tmp_path / "trace.csv"
    path.write_text("time_s,rate\n0,8 kbit/s\n5,4 kbit/s\n")
    network = {
        "nodes": 2,
        "uplink": "1 Mbit/s",
        "downlink": "1 Mbit/s",
        "count": "payload",
        "traces": [{"file": str(path), "nodes": [0], "link": "uplink", "after": "hold"}],
    }
    scenario = read(
        rounds=1, task=None, volume={"parameters": 1500}, network=network, runs=[{"kind": "fedavg"}]
    )
    (outcome,) = play(scenario, tmp_path / "out")
    (record,) = outcome.result.rounds
    update = record.why.path[0]
    assert (update.link, update.utilisation) == ("uplink of node 0", pytest.approx(1))
    assert update.length_s == pytest.approx(7)
    assert record.why.bottleneck.link == "uplink of node 0"
    use = outcome.result.links
    at = use.names.index("uplink of node 0") == use.link
    room_bits = 40_000 + 4_000 * (record.end_s - 5)
    assert use.rate_bps[at] * use.length_s[at] == pytest.approx([room_bits])
