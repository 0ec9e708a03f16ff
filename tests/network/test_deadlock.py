"""A wait that can never end is reported: who, for what, from whom, and why."""

import asyncio

import pytest

from netsim.kernel import Deadlock


def report(simulate, main, **settings):
    """The deadlock that ``main`` ends in."""
    with pytest.raises(Deadlock) as caught:
        simulate(main, **settings)
    return caught.value


def test_a_rate_of_zero_is_never_and_not_at_once(simulate, parcel):
    """Both ends are named with the dead link."""

    async def main(world):
        receiver = asyncio.create_task(world.at(1, 0, "update", 3))
        await world.nodes[0].send(1, parcel(1000), "update", 3)
        await receiver

    overrides = {0: {"uplink": "0 bit/s"}}
    waits = {wait.node: str(wait) for wait in report(simulate, main, overrides=overrides).waits}
    assert "'update'" in waits["node 0"]
    assert "node 1" in waits["node 0"]
    assert "uplink of node 0 has rate 0" in waits["node 0"]
    lacks = "node 1 waits for 'update' of round 3 from node 0; the uplink of node 0 has rate 0"
    assert waits["node 1"] == lacks


def test_only_what_is_missing_is_named(simulate, parcel):
    """Of three senders two have delivered, and a dead link counts for its own messages alone."""

    async def main(world):
        for sender in (1, 2, 3):
            world.nodes[sender].broadcast([0], parcel(10), "x", 0)
        world.nodes[4].broadcast([0, 1], parcel(10), "x", 1)
        await world.nodes[0].gather([1, 2, 3, 5], "x", 0)

    dead = {node: {"uplink": "0 bit/s"} for node in (2, 4)}
    error = report(simulate, main, nodes=6, overrides=dead)
    lacks = "'x' of round 0 from node 2, node 5; the uplink of node 2 has rate 0"
    assert [str(wait) for wait in error.waits] == [f"node 0 waits for {lacks}"]


def test_a_message_nobody_sends_is_waited_for_in_vain(simulate):
    """The report holds the time at which nothing more could happen."""

    async def main(world):
        await asyncio.sleep(2)
        await world.nodes[1].receive(0, "x", 5)

    error = report(simulate, main)
    assert [str(wait) for wait in error.waits] == ["node 1 waits for 'x' of round 5 from node 0"]
    assert error.time_s == 2


def test_many_missing_senders_are_counted(simulate):
    """Sixteen names, then how many more."""

    async def main(world):
        await world.nodes[0].gather(range(1, 31), "x", 0)

    (wait,) = report(simulate, main, nodes=31).waits
    assert wait.what.startswith("'x' of round 0 from node 1, node 2,")
    assert wait.what.endswith("node 16 and 14 more")


def test_a_wait_for_arrival_is_named_like_one_for_sending(simulate, parcel):
    """``settled`` on a dead downlink names the link."""

    async def main(world):
        await world.nodes[0].broadcast([1], parcel(10), "x", 0).settled()

    (wait,) = report(simulate, main, downlink=["1 kB/s", "0 bit/s"]).waits
    assert (wait.node, wait.what.endswith("downlink of node 1 has rate 0")) == ("node 0", True)
