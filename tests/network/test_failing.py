"""Messages that fail: both ends are told, and every bit is accounted for."""

import asyncio

import pytest

from netsim.kernel import sleep
from netsim.network.failures import LinkDown, NodeDown, TransferFailed
from netsim.network.table import ABORTED, DELIVERED


async def outcome(awaitable):
    """The failure that an awaitable raises, if it does."""
    try:
        await awaitable
    except TransferFailed as failure:
        return failure
    return None


def test_both_ends_of_an_aborted_message_are_told(simulate, parcel):
    """Half way through, with names, kind and reason; half the bits stay charged as lost."""

    async def main(world):
        sender = asyncio.create_task(outcome(world.nodes[0].send(1, parcel(1000), "update", 2)))
        receiver = asyncio.create_task(outcome(world.nodes[1].receive(0, "update", 2)))
        await sleep(0.5)
        world.network.fail(world.moving("update"), LinkDown, "the cable was cut")
        errors = [await sender, await receiver]
        return errors, world.now, world.network.table

    errors, now, table = simulate(main)
    for error in errors:
        assert type(error) is LinkDown
        assert str(error) == "update from node 0 to node 1: the cable was cut"
    assert now == 0.5
    assert (table.status[0], table.sent_bits[0], table.end_s[0]) == (ABORTED, 4000, 0.5)


def test_the_others_of_a_broadcast_go_on_with_the_freed_rate(simulate, parcel):
    """Three copies at a third of the rate; one is cut at 1.5 s with 500 B of it sent."""

    async def main(world):
        sending = world.nodes[0].broadcast([1, 2, 3], parcel(1000), "x", 0)
        await sleep(1.5)
        world.network.fail(world.moving("x")[1:2], NodeDown, "gone")
        failed = await sending
        return failed, world.now, world.network.table.column("sent_bits").tolist()

    failed, now, sent = simulate(main, nodes=4)
    assert list(failed) == [2]
    assert type(failed[2]) is NodeDown
    assert now == 2.5
    assert sent == [8000, 4000, 8000]


def test_a_gather_returns_what_arrived_and_says_what_failed(simulate, parcel):
    """It ends when the last of its messages has arrived or failed."""

    async def main(world):
        for sender in (1, 2, 3):
            world.nodes[sender].broadcast([0], parcel(1000), "x", 0)
        gathering = asyncio.create_task(world.nodes[0].gather([1, 2, 3], "x", 0))
        await sleep(1)
        world.network.fail(world.moving("x")[1:2], LinkDown, "test")
        arrivals = await gathering
        return arrivals.senders, list(arrivals.failed), world.now

    senders, failed, now = simulate(main, nodes=4)
    assert (senders, failed) == ([1, 3], [2])
    assert now == pytest.approx(1 + 2 * (8000 - 8000 / 3) / 8000, rel=1e-9)


def test_a_message_that_fails_on_its_last_stretch_is_charged_whole(simulate, parcel):
    """Its last bit left at 1 s, so its sender went on; it is lost at 1.2 s of 1.5."""

    async def main(world):
        receiver = asyncio.create_task(outcome(world.nodes[1].receive(0, "x", 0)))
        sending = world.nodes[0].broadcast([1], parcel(1000), "x", 0)
        assert await sending == {}
        await sleep(0.2)
        world.network.fail(world.moving("x"), LinkDown, "test")
        told = await sending.settled()
        return type(await receiver), list(told), world.now, world.network.table

    kind, told, now, table = simulate(main, latency="500 ms")
    assert (kind, told, now) == (LinkDown, [1], 1.2)
    assert (table.sent_bits[0], table.end_s[0]) == (8000, 1.2)


def test_who_asks_later_is_told_too(simulate, parcel):
    """A failure waits for the receiver like a message."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "x", 0)
        await sleep(0.5)
        world.network.fail(world.moving("x"), LinkDown, "test")
        await sleep(5)
        return type(await outcome(world.nodes[1].receive(0, "x", 0))), world.now

    assert simulate(main) == (LinkDown, 5.5)


def test_what_has_arrived_cannot_fail(simulate, parcel):
    """Failing rows that are there already changes nothing."""

    async def main(world):
        await world.nodes[0].send(1, parcel(1000), "x", 0)
        rows = world.moving("x")
        await sleep(1)
        world.network.fail(rows, LinkDown, "test")
        await world.nodes[1].receive(0, "x", 0)
        return int(world.network.table.status[0])

    assert simulate(main) == DELIVERED


def test_a_held_message_that_fails_does_not_end_its_sending_early(simulate, parcel):
    """One copy waits behind an earlier message and fails; the other still has bits to send."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "first", 0)
        sending = world.nodes[0].scatter([1, 2], [parcel(10), parcel(1000)], "x", 0)
        await sleep(0.5)
        world.network.fail(world.moving("x")[:1], LinkDown, "test")
        await sending
        return world.now

    assert simulate(main, nodes=3) == pytest.approx(2.01, rel=1e-9)


def test_a_held_message_that_failed_ends_at_that_instant(simulate, parcel):
    """What it waited behind arrives later, and does not move its end."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "first", 0)
        world.nodes[0].broadcast([1], parcel(10), "x", 0)
        await sleep(0.5)
        world.network.fail(world.moving("x"), LinkDown, "test")
        await world.nodes[1].receive(0, "first", 0)
        table = world.network.table
        return int(table.status[1]), float(table.end_s[1])

    assert simulate(main) == (ABORTED, 0.5)


def test_closing_ends_what_is_on_its_way_and_keeps_its_bits(simulate, parcel):
    """A network closed half way has the first half of the message as lost."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "x", 0)
        await sleep(0.5)
        world.network.close()
        table = world.network.table
        return int(table.status[0]), int(table.sent_bits[0]), float(table.end_s[0])

    assert simulate(main) == (ABORTED, 4000, 0.5)


def test_two_tasks_may_wait_at_one_node_for_the_same_kind_and_round(simulate, parcel):
    """Each gets the message of the sender it named."""

    async def main(world):
        for sender, size in ((1, 100), (2, 300)):
            world.nodes[sender].broadcast([0], parcel(size), "x", 0)
        return await asyncio.gather(world.at(0, 2, "x"), world.at(0, 1, "x"))

    assert simulate(main, nodes=3) == pytest.approx([0.4, 0.2], rel=1e-12)


def test_one_waiter_of_a_sending_may_give_up_without_the_others(simulate, parcel):
    """A timeout of one task does not cancel another that awaits the same sending."""

    async def main(world):
        sending = world.nodes[0].broadcast([1], parcel(1000), "x", 0)

        async def wait():
            await sending
            return world.now

        patient = asyncio.create_task(wait())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.25):
                await sending
        return await patient

    assert simulate(main) == 1.0
