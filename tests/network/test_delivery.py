"""When messages leave and arrive, to the exact second."""

import asyncio

import pytest

from netsim.kernel import sleep
from netsim.network.messages import Place


def test_a_send_ends_when_its_last_bit_left_and_arrives_a_latency_later(simulate, parcel):
    """1 kB over 1 kB/s and 100 ms: gone after 1 s, there after 1.1 s."""

    async def main(world):
        arrival = asyncio.create_task(world.at(1, 0, "update"))
        await world.nodes[0].send(1, parcel(1000), "update", 0)
        left = world.now
        return left, await arrival

    assert simulate(main, latency="100 ms") == (1.0, 1.1)


def test_the_payload_itself_arrives(simulate, parcel):
    """Received is the very object that was sent, with its sender."""
    sent = parcel(10)

    async def main(world):
        await world.nodes[1].send(0, sent, "update", 3)
        return await world.nodes[0].receive(1, "update", 3)

    message = simulate(main)
    assert message.payload is sent
    assert message.sender == 1


def test_twelve_and_a_half_megabytes_take_a_second_at_100_mbit_s(simulate, parcel):
    """Exactly one second, not about."""

    async def main(world):
        await world.nodes[0].send(1, parcel(12_500_000), "model", 0)
        return world.now

    assert simulate(main, uplink="100 Mbit/s", downlink="100 Mbit/s") == 1.0


def test_the_slower_of_uplink_and_downlink_counts(simulate, parcel):
    """2 kB/s up and 0.5 kB/s down: 1 kB takes 2 s."""

    async def main(world):
        await world.nodes[0].send(1, parcel(1000), "x", 0)
        return world.now

    assert simulate(main, uplink="2 kB/s", downlink="0.5 kB/s") == 2.0


def test_scattered_messages_share_the_uplink(simulate, parcel):
    """1 kB and 3 kB: half the rate each until the small one is through at 2 s, all by 4 s."""

    async def main(world):
        sending = world.nodes[0].scatter([1, 2], [parcel(1000), parcel(3000)], "x", 0)
        times = await asyncio.gather(world.at(1, 0, "x"), world.at(2, 0, "x"))
        await sending
        return [*times, world.now]

    assert simulate(main, nodes=3) == [2.0, 4.0, 4.0]


def test_each_copy_of_a_broadcast_is_sent_on_its_own(simulate, parcel):
    """Three copies of 1 kB take three seconds, and all arrive then."""

    async def main(world):
        sending = world.nodes[0].broadcast([1, 2, 3], parcel(1000), "x", 0)
        times = await asyncio.gather(*(world.at(node, 0, "x") for node in (1, 2, 3)))
        await sending
        return times, int(world.network.table.column("sent_bits").sum())

    assert simulate(main, nodes=4) == ([3.0] * 3, 3 * 8000)


def test_await_waits_for_the_last_bit_and_settled_for_the_arrival(simulate, parcel):
    """A sending is awaited at 1 s and settled at 1.5 s."""

    async def main(world):
        sending = world.nodes[0].broadcast([1], parcel(1000), "x", 0)
        assert await sending == {}
        left = world.now
        assert await sending.settled() == {}
        return left, world.now

    assert simulate(main, latency="500 ms") == (1.0, 1.5)


def test_a_gather_waits_for_the_slowest_and_orders_by_sender(simulate, parcel):
    """Whatever order they are named in and arrive in."""

    async def main(world):
        for sender, size in ((3, 100), (1, 300), (2, 200)):
            world.nodes[sender].broadcast([0], parcel(size), "x", 0)
        arrivals = await world.nodes[0].gather([2, 3, 1], "x", 0)
        sizes = [each.payload.payload_bits // 8 for each in arrivals]
        return arrivals.senders, sizes, world.now

    assert simulate(main, nodes=4) == ([1, 2, 3], [300, 200, 100], pytest.approx(0.6, rel=1e-12))


def test_a_gather_takes_as_many_messages_of_a_sender_as_it_names_it(simulate, parcel):
    """Two from node 1 in the order they were sent; the third waits for the next gather."""

    async def main(world):
        for size in (1, 2, 3):
            world.nodes[1].broadcast([0], parcel(size), "x", 0)
        first = await world.nodes[0].gather([1, 1], "x", 0)
        second = await world.nodes[0].gather([1], "x", 0)
        return [[m.payload.payload_bits // 8 for m in each] for each in (first, second)]

    assert simulate(main) == [[1, 2], [3]]


def test_messages_are_told_apart_by_kind_and_round(simulate, parcel):
    """What was sent first is not taken for another kind or round."""

    async def main(world):
        node = world.nodes[0]
        node.broadcast([1], parcel(1), "a", 0)
        node.broadcast([1], parcel(2), "b", 0)
        node.broadcast([1], parcel(3), "a", 1)
        wanted = (("a", 1), ("b", 0), ("a", 0))
        return [(await world.nodes[1].receive(0, *each)).payload.payload_bits for each in wanted]

    assert simulate(main) == [24, 16, 8]


def test_a_message_waits_for_its_receiver(simulate, parcel):
    """One that arrived at 1 s is there at once for who asks at 10 s."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "x", 0)
        await sleep(10)
        return await world.at(1, 0, "x")

    assert simulate(main) == 10.0


def test_three_tiny_messages_pay_the_latency_once(simulate, parcel):
    """One after the other over 100 ms, all are there after about 100 ms."""

    async def main(world):
        async def send():
            for number in range(3):
                await world.nodes[0].send(1, parcel(1), "x", number)

        sender = asyncio.create_task(send())
        times = [await world.at(1, 0, "x", number) for number in range(3)]
        await sender
        return times

    times = simulate(main, latency="100 ms", uplink="1 GB/s", downlink="1 GB/s")
    assert times == pytest.approx([0.1] * 3, abs=1e-6)
    assert times == sorted(times)


def test_ten_thousand_small_messages_take_as_long_as_their_bytes(simulate, parcel):
    """10,000 × 100 B over 1 kB/s, all at once: 1000 s."""

    async def main(world):
        await world.nodes[0].broadcast([1] * 10_000, parcel(100), "x", 0)
        await world.nodes[1].gather([0] * 10_000, "x", 0)
        return world.now

    assert simulate(main) == pytest.approx(1000.0, rel=1e-12)


def test_a_thousand_messages_in_a_row_take_as_long_as_their_bytes(simulate, parcel):
    """1,000 × 100 B over 1 kB/s, each after the other: 100 s and one latency."""

    async def main(world):
        async def send():
            for _ in range(1000):
                await world.nodes[0].send(1, parcel(100), "x", 0)

        sender = asyncio.create_task(send())
        await world.nodes[1].gather([0] * 1000, "x", 0)
        await sender
        return world.now

    assert simulate(main, latency="100 ms") == pytest.approx(100.1, rel=1e-12)


def test_a_message_of_no_bits_takes_the_latency_alone(simulate, parcel):
    """On links of rate zero too; without latency it is there at once."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(0), "x", 0)
        return await world.at(1, 0, "x")

    assert simulate(main, latency="30 ms") == 0.03
    assert simulate(main) == 0.0
    assert simulate(main, uplink="0 bit/s") == 0.0


def test_nobody_to_send_to_or_hear_from_takes_no_time(simulate, parcel):
    """Empty broadcast, scatter and gather end at once."""

    async def main(world):
        node = world.nodes[0]
        await node.broadcast([], parcel(1), "x", 0)
        await node.scatter([], [], "x", 0).settled()
        return len(await node.gather([], "x", 0)), world.now

    assert simulate(main) == (0, 0.0)


def test_what_is_done_on_delivery_sees_the_place_of_each_message(simulate, parcel):
    """Kind code, round, both ends and the place in its sending; its result is what arrives."""

    async def main(world):
        world.nodes[0].scatter([1, 1], [parcel(1), parcel(2)], "x", 4)
        arrivals = await world.nodes[1].gather([0, 0], "x", 4)
        return [message.payload for message in arrivals]

    def deliver(payload, place):
        return payload.payload_bits, place

    assert simulate(main, deliver=deliver) == [
        (8, Place(0, 4, 0, 1, 0)),
        (16, Place(0, 4, 0, 1, 1)),
    ]


def test_a_timeout_leaves_the_message_on_its_way(simulate, parcel):
    """A receiver that gave up at 0.25 s may ask again and gets it at 1 s."""

    async def main(world):
        world.nodes[0].broadcast([1], parcel(1000), "x", 0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.25):
                await world.nodes[1].receive(0, "x", 0)
        gave_up = world.now
        return gave_up, await world.at(1, 0, "x")

    assert simulate(main) == (0.25, 1.0)


def test_a_gather_that_timed_out_keeps_what_arrived(simulate, parcel):
    """The message that was there already is not lost to the next gather."""

    async def main(world):
        world.nodes[1].broadcast([0], parcel(100), "x", 0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(5):
                await world.nodes[0].gather([1, 2], "x", 0)
        world.nodes[2].broadcast([0], parcel(100), "x", 0)
        return (await world.nodes[0].gather([1, 2], "x", 0)).senders, world.now

    assert simulate(main, nodes=3) == ([1, 2], pytest.approx(5.1, rel=1e-12))
