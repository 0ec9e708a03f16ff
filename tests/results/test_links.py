"""Bits over links: in a round, and between two instants."""

import numpy as np
import pytest

from netsim.network.underlay.clusters import StarOfClusters
from netsim.results.critical import Span
from netsim.results.links import Loads, link_use
from netsim.results.ranking import busiest_links, slowest
from netsim.results.records import ABORTED, DELIVERED, LOCAL

MBIT = 10**6


def shares(use):
    """By round and link: bits, and the share of rate × length."""
    columns = use.round.tolist(), use.link.tolist(), use.bits, use.rate_bps, use.length_s
    return {
        (number, use.names[link]): (int(bits), bits / (rate * length_s))
        for number, link, bits, rate, length_s in zip(*columns, strict=True)
    }


def test_bits_over_rate_and_time_exactly(story):
    """Two updates into one downlink and a model back, 8 Mbit/s, in a round of 8 s."""
    net = story()
    sends = [
        (0, 3, "update", 8 * MBIT, 0, 2),
        (1, 3, "update", 4 * MBIT, 0, 2),
        (3, 0, "model", 2 * MBIT, 2, 4),
    ]
    use = link_use(net.transfers(sends), net.topology, [Span(0, 0, 8)])
    assert shares(use) == {
        (0, "uplink of node 0"): (8 * MBIT, 0.125),
        (0, "uplink of node 1"): (4 * MBIT, 0.0625),
        (0, "downlink of server"): (12 * MBIT, 0.1875),
        (0, "uplink of server"): (2 * MBIT, 0.03125),
        (0, "downlink of node 0"): (2 * MBIT, 0.03125),
    }


def test_aborted_bits_count_and_local_ones_do_not(story):
    """Half of the aborted message had left."""
    net = story()
    sends = [(0, 1, "a", 8 * MBIT, 0, 1), (1, 2, "b", 8 * MBIT, 0, 0)]
    moved = net.transfers(sends, status=[ABORTED, LOCAL])
    use = link_use(moved, net.topology, [Span(0, 0, 1)])
    assert {link: bits for (_, link), (bits, _) in shares(use).items()} == {
        "uplink of node 0": 4 * MBIT,
        "downlink of node 1": 4 * MBIT,
    }


def test_rounds_apart_and_overlapping(story):
    """A row a round; a round that began before the last one ended has the longer time."""
    net = story()
    sends = [(0, 1, "a", 8 * MBIT, 0, 2), (0, 1, "a", 8 * MBIT, 1, 3), (0, 1, "a", 8, 9, 10)]
    moved = net.transfers(sends, round=[0, 1, 7])
    use = link_use(moved, net.topology, [Span(0, 0, 2), Span(1, 2, 3), Span(2, 3, 4)])
    assert shares(use) == {
        (number, link): (8 * MBIT, 0.5)
        for number in (0, 1)
        for link in ("uplink of node 0", "downlink of node 1")
    }


def test_half_duplex_and_inner_links(story):
    """One link a node serves both ways; links between routers are named and count too."""
    underlay = StarOfClusters(clusters=2, rate="4 Mbit/s", latency="0 s")
    net = story(3, (), half_duplex=True, downlink=None, underlay=underlay)
    sends = [(0, 1, "a", 8 * MBIT, 0, 4), (1, 0, "b", 8 * MBIT, 0, 4)]
    found = shares(link_use(net.transfers(sends), net.topology, [Span(0, 0, 4)]))
    assert found[0, "link of node 0"] == (16 * MBIT, 0.5)
    inner = [share for (_, link), share in found.items() if "node" not in link]
    assert inner == [(8 * MBIT, 0.5)] * 4


def test_no_rounds(story):
    """A run that failed at once."""
    net = story()
    moved = net.transfers([(0, 1, "a", 8, 0, 1)])
    assert len(link_use(moved, net.topology, []).round) == 0


def test_bits_between_two_instants(story):
    """Bits are spread from the start to when the last one left; links nobody uses have none."""
    net = story(latency="1 s")
    sends = [
        (0, 1, "a", 8 * MBIT, 0, 3),
        (0, 2, "b", 4 * MBIT, 1, 4),
        (0, 2, "zero", 0, 0, 1),
        (0, 1, "cut", 8 * MBIT, 5, 6),
    ]
    moved = net.transfers(sends, status=[DELIVERED, DELIVERED, DELIVERED, ABORTED])
    up, other, down = 0, 6, 3
    loads = Loads(moved, net.topology, np.array([up, other, down]))
    asked = [(up, 0, 1), (up, 1, 2), (up, 2, 9), (up, 0, 9), (down, 0, 1.5), (down, 7, 9)]
    link, start_s, end_s = zip(*[*asked, (other, 0, 9)], strict=True)
    bits = loads.bits(np.array(link), np.array(start_s), np.array(end_s))
    assert bits == pytest.approx([4e6, 6e6, 6e6, 16e6, 6e6, 0, 0], abs=1e-3)


def test_rate_zero_at_the_start(story):
    """A trace may raise it later: the path counts it as busy, and no share is made up."""
    net = story(uplink=["0 bit/s", "8 Mbit/s", "8 Mbit/s"])
    sends = [(0, 1, "a", 8 * MBIT, 0, 2)]
    why = net.why(sends, (0, 2))
    assert (why.bottleneck.link, why.bottleneck.utilisation) == ("uplink of node 0", 1)
    use = link_use(net.transfers(sends), net.topology, [Span(0, 0, 2)])
    assert [each.link for each in busiest_links(use, 0, 5)] == ["downlink of node 1"]


def test_the_busiest_come_first(story):
    """Equal ones in the order of the links, and no more than asked for."""
    net = story(uplink=["8 Mbit/s", "16 Mbit/s", "15999999.999999 bit/s"])
    sends = [(k, 3, "a", 8 * MBIT, 0, 3) for k in range(3)]
    use = link_use(net.transfers(sends), net.topology, [Span(0, 0, 3)])
    found = busiest_links(use, 0, 3)
    assert [each.link for each in found] == [
        "downlink of server",
        "uplink of node 0",
        "uplink of node 1",
    ]
    assert [each.bits for each in found] == [24 * MBIT, 8 * MBIT, 8 * MBIT]
    assert [each.utilisation for each in found] == pytest.approx([1, 1 / 3, 1 / 6])
    assert busiest_links(use, 1, 3) == []


def test_the_slowest():
    """The first of those that took equally long."""
    assert slowest([1.0, 3.0, 3.0 + 1e-12, 2.0]) == 1
    assert slowest([0.0]) == 0
    assert slowest([]) is None
