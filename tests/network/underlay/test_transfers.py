"""Real transfers over an underlay.  Access links have 8 Mbit/s, trunks 1 Mbit/s."""

import asyncio

import pytest

TRUNK = {"kind": "star_of_clusters", "clusters": 2, "rate": "1 Mbit/s", "latency": "5 ms"}
ACCESS = {"uplink": "1 MB/s", "downlink": "1 MB/s", "latency": "10 ms"}


def send(simulate, parcel, pairs, size_bytes, **settings):
    """When each of the messages, sent at once, arrives."""

    async def main(world):
        for at, (sender, receiver) in enumerate(pairs):
            world.network.post(sender, [receiver], parcel(size_bytes), "model", at)
        arrivals = [world.at(b, a, "model", at) for at, (a, b) in enumerate(pairs)]
        return await asyncio.gather(*arrivals)

    return simulate(main, **(ACCESS | settings))


def test_a_shared_trunk_limits_the_sum_of_rates(simulate, parcel):
    """4 × 125 kB from cluster 0 to cluster 1: 4 Mbit at 1 Mbit/s, then 10 ms + 2 · 5 ms."""
    pairs = [(0, 1), (2, 3), (4, 5), (6, 7)]
    times = send(simulate, parcel, pairs, 125_000, nodes=8, underlay=TRUNK)
    assert times == pytest.approx([4.02] * 4, abs=1e-9)


def test_an_access_link_may_still_be_the_narrowest(simulate, parcel):
    """2 kB/s up: 125 kB take 62.5 s whatever the trunk."""
    times = send(simulate, parcel, [(0, 1)], 125_000, underlay=TRUNK, uplink="2 kB/s")
    assert times == pytest.approx([62.52], abs=1e-9)


def test_inside_a_cluster_nothing_is_shared(simulate, parcel):
    """1 Mbit at 8 Mbit/s, and 10 ms: the full trunk is not theirs."""
    pairs = [(0, 2), (2, 4), (4, 0), (6, 1)]
    times = send(simulate, parcel, pairs, 125_000, nodes=8, underlay=TRUNK)
    assert times[:3] == pytest.approx([0.135] * 3, abs=1e-9)
    assert times[3] == pytest.approx(1.02, abs=1e-9)


def test_the_two_directions_of_a_link_do_not_share(simulate, parcel):
    """Full duplex: both ways at once take as long as one."""
    times = send(simulate, parcel, [(0, 1), (1, 0)], 125_000, nodes=2, underlay=TRUNK)
    assert times == pytest.approx([1.02] * 2, abs=1e-9)


def test_a_hub_is_the_bottleneck_of_a_star_from_a_file(simulate, parcel, tmp_path):
    """Two spokes send to a third: each spoke 4 Mbit/s, the third's 4 Mbit/s shared."""
    path = tmp_path / "star.edgelist"
    spoke = "{'rate': '4 Mbit/s'}"
    path.write_text("".join(f"{leaf} hub {spoke}\n" for leaf in "abc"), "utf-8")
    where = {at: {"router": leaf} for at, leaf in enumerate("abc")}
    underlay = {"kind": "file", "path": path}
    pairs = [(0, 2), (1, 2), (0, 1)]
    times = send(simulate, parcel, pairs, 500_000, nodes=3, underlay=underlay, overrides=where)
    # The third message shares a's spoke: max-min gives each of the three 2 Mbit/s.
    assert times == pytest.approx([2.01] * 3, abs=1e-9)


def test_a_trunk_is_shared_max_min(simulate, parcel):
    """One of four senders has 100 kbit/s only: the others have 300 kbit/s each."""
    pairs = [(0, 1), (2, 1), (4, 1), (6, 1)]
    narrow = {6: {"uplink": "100 kbit/s"}}
    times = send(simulate, parcel, pairs, 37_500, nodes=8, underlay=TRUNK, overrides=narrow)
    assert times == pytest.approx([1.02, 1.02, 1.02, 3.02], abs=1e-9)
