"""Which links messages share, and how."""

import asyncio

import pytest

from netsim.kernel import sleep
from netsim.network.topology import Guest


def test_messages_within_a_host_are_free(simulate, parcel):
    """They arrive at once, are no traffic, and leave the link to others."""
    guests = (Guest("virtual", host=0),)

    async def main(world):
        world.nodes[0].broadcast([2], parcel(1000), "inside", 0)
        world.nodes[2].broadcast([0], parcel(1000), "inside", 0)
        world.nodes[0].broadcast([1], parcel(1000), "outside", 0)
        inside = [await world.at(2, 0, "inside"), await world.at(0, 2, "inside")]
        outside = await world.at(1, 0, "outside")
        return inside, outside, world.network.table.column("sent_bits").tolist()

    assert simulate(main, guests, latency="1 s") == ([0.0, 0.0], 2.0, [0, 0, 8000])


def test_guests_on_a_host_share_its_link(simulate, parcel):
    """Two virtual nodes of node 0 send 1 kB each to node 1: two seconds."""
    guests = (Guest("a", host=0), Guest("b", host=0))

    async def main(world):
        await asyncio.gather(*(world.nodes[v].send(1, parcel(1000), "x", 0) for v in (2, 3)))
        return world.now

    assert simulate(main, guests) == 2.0


@pytest.mark.parametrize(("half_duplex", "time_s"), [(False, 1.0), (True, 2.0)])
def test_half_duplex_shares_one_link_both_ways(simulate, parcel, half_duplex, time_s):
    """1 kB each way at once: 1 s full duplex, 2 s half duplex."""

    async def main(world):
        await asyncio.gather(*(world.nodes[a].send(1 - a, parcel(1000), "x", 0) for a in (0, 1)))
        return world.now

    assert simulate(main, half_duplex=half_duplex) == time_s


@pytest.mark.parametrize(("count", "time_s"), [("wire", 1.5), ("payload", 1.0)])
def test_the_links_carry_wire_or_payload_bits(simulate, parcel, count, time_s):
    """1000 B of values in 1500 B of message."""

    async def main(world):
        await world.nodes[0].send(1, parcel(1000, 1500), "x", 0)
        return world.now, int(world.network.table.column("carried_bits")[0])

    assert simulate(main, count=count) == (time_s, 8000 * time_s)


@pytest.mark.parametrize(
    ("sharing", "times"), [("max_min", [2.0, 4.0]), ("fifo", [1.0, 4.0]), ("optimal", [4.0, 4.0])]
)
def test_sharing_policies(simulate, parcel, sharing, times):
    """1 kB and 3 kB over one uplink: shared fairly, one by one, or in proportion to size."""

    async def main(world):
        world.nodes[0].scatter([1, 2], [parcel(1000), parcel(3000)], "x", 0)
        return await asyncio.gather(world.at(1, 0, "x"), world.at(2, 0, "x"))

    assert simulate(main, nodes=3, sharing=sharing) == times


def test_a_change_of_rate_counts_from_its_instant_on(simulate, parcel):
    """Half of 1 kB at 1 kB/s, the other half at a quarter of that: 0.5 + 2 s."""

    async def main(world):
        sending = world.nodes[0].broadcast([1], parcel(1000), "x", 0)
        await sleep(0.5)
        uplink = world.network.topology.routes([0], [1])[1][:1]
        world.network.set_capacity(uplink, world.network.topology.capacity_bps_L[:1] / 4)
        await sending
        return world.now

    assert simulate(main) == 2.5
