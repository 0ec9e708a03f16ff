"""Messages between the same two nodes keep their order."""

import asyncio

import pytest

from netsim.kernel import sleep
from netsim.network.failures import LinkDown


def test_a_small_message_does_not_overtake_a_big_one(simulate, parcel):
    """1 kB, then 10 B at once: the small one has left at 0.02 s and arrives with the big one."""

    async def main(world):
        node = world.nodes[0]
        big = node.broadcast([1], parcel(1000), "big", 0)
        small = node.broadcast([1], parcel(10), "small", 0)
        times = asyncio.gather(world.at(1, 0, "big"), world.at(1, 0, "small"))
        await small
        left = world.now
        await big
        return left, await times

    left, times = simulate(main)
    assert left == pytest.approx(0.02, rel=1e-12)
    assert times == pytest.approx([1.01, 1.01], rel=1e-12)


def test_a_message_of_no_bits_does_not_overtake(simulate, parcel):
    """It arrives with the one sent before it."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "big", 0)
        world.nodes[0].broadcast([1], parcel(0), "nothing", 0)
        return await world.at(1, 0, "nothing")

    assert simulate(main) == 1.0


def test_order_holds_among_many_sizes_in_one_sending(simulate, parcel):
    """Arrival times of a scatter to one node never fall, in the order of the list."""

    async def main(world):
        sizes = [500, 20, 300, 1, 0, 400, 2]
        world.nodes[0].scatter([1] * 7, [parcel(size) for size in sizes], "x", 0)
        await world.nodes[1].gather([0] * 7, "x", 0)
        return world.network.table.column("end_s").tolist()

    times = simulate(main, latency="10 ms")
    assert times == sorted(times)
    assert times[-1] == pytest.approx(1.223 + 0.01, rel=1e-12)


def test_other_pairs_of_nodes_are_not_held_back(simulate, parcel):
    """A small message to another node, and one the other way, arrive on their own."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "big", 0)
        world.nodes[0].broadcast([2], parcel(10), "small", 0)
        world.nodes[1].broadcast([0], parcel(10), "back", 0)
        return await asyncio.gather(world.at(2, 0, "small"), world.at(0, 1, "back"))

    assert simulate(main, nodes=3) == pytest.approx([0.02, 0.01], rel=1e-12)


def test_a_message_behind_one_that_fails_arrives_on_its_own(simulate, parcel):
    """The big one is aborted at 0.5 s; the small one, through by then, arrives at that instant."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "big", 0)
        world.nodes[0].broadcast([1], parcel(10), "small", 0)
        arrival = asyncio.create_task(world.at(1, 0, "small"))
        await sleep(0.5)
        world.network.fail(world.moving("big"), LinkDown, "test")
        return await arrival

    assert simulate(main) == 0.5


def test_the_first_still_goes_before_the_third_when_the_second_fails(simulate, parcel):
    """Big, middle, small; middle is aborted while all three move: small waits for big."""

    async def main(world):
        for kind, size in (("big", 1000), ("middle", 500), ("small", 100)):
            world.nodes[0].broadcast([1], parcel(size), kind, 0)
        times = asyncio.gather(world.at(1, 0, "big"), world.at(1, 0, "small"))
        await sleep(0.1)
        world.network.fail(world.moving("middle"), LinkDown, "test")
        return await times

    big, small = simulate(main)
    assert small >= big


def test_the_first_still_goes_before_one_sent_after_the_second_failed(simulate, parcel):
    """Big and middle, middle is aborted, then small is sent: small waits for big."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "big", 0)
        world.nodes[0].broadcast([1], parcel(500), "middle", 0)
        times = asyncio.gather(world.at(1, 0, "big"), world.at(1, 0, "small"))
        await sleep(0.1)
        world.network.fail(world.moving("middle"), LinkDown, "test")
        world.nodes[0].broadcast([1], parcel(10), "small", 0)
        return await times

    big, small = simulate(main)
    assert small >= big
