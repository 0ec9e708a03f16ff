"""What nobody takes is held until its round is over, and no longer."""

import asyncio
import gc
import weakref

import pytest

from netsim.kernel import sleep
from netsim.network.failures import LinkDown


class Held:
    """A payload that can be watched."""

    payload_bits = wire_bits = 8_000


def alive(refs):
    gc.collect()
    return [ref() is not None for ref in refs]


def test_a_round_that_is_over_is_let_go(simulate):
    """Messages in mailboxes; what is still on its way, when it arrives; not those of others."""

    async def main(world):
        payloads = [Held(), Held(), Held()]
        refs = [weakref.ref(payload) for payload in payloads]
        node = world.nodes[0]
        await node.send(1, payloads[0], "update", 0)
        here = node.broadcast([1], payloads[1], "update", 0)
        other = node.broadcast([1], payloads[2], "update", 1)
        del payloads
        await sleep(0.5)
        world.network.forget(0)
        before = alive(refs)
        await here.settled()
        del here
        await other.settled()
        message = await world.nodes[1].receive(0, "update", 1)
        return before, alive(refs), message.payload is refs[2]()

    before, after, there = simulate(main)
    assert before == [False, True, True]
    assert after == [False, False, True]
    assert there


def test_failed_messages_are_let_go_too(simulate):
    """With their errors."""

    async def main(world):
        payload = Held()
        gone = weakref.ref(payload)
        sending = world.nodes[0].broadcast([1], payload, "update", 0)
        del payload
        await sleep(0.5)
        world.network.fail(world.moving("update"), LinkDown, "test")
        failed = await sending.settled()
        del sending
        world.network.forget(0)
        return list(failed), alive([gone]), world.network._mail.errors

    assert simulate(main) == ([1], [False], {})


def test_what_was_taken_can_be_let_go_one_by_one(simulate):
    """And then cannot be read any more."""

    async def main(world):
        payloads = [Held() for _ in range(3)]
        refs = [weakref.ref(payload) for payload in payloads]
        for sender, payload in enumerate(payloads):
            world.nodes[sender].broadcast([3], payload, "update", 0)
        del payload, payloads
        arrivals = await asyncio.wait_for(world.nodes[3].gather([0, 1, 2], "update", 0), 99)
        arrivals.let_go(1)
        with pytest.raises(AssertionError, match="let go"):
            arrivals[1]
        return alive(refs), arrivals.senders, len(arrivals), arrivals[2].payload is refs[2]()

    assert simulate(main, nodes=4) == ([True, False, True], [0, 1, 2], 3, True)
