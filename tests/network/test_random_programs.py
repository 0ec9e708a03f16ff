"""Random sets of messages: every bit is accounted for and no link does more than it can."""

import asyncio
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netsim.kernel import sleep
from netsim.network.failures import LinkDown
from netsim.network.table import ABORTED, DELIVERED, MOVING
from netsim.theory.phase import Phase, phase_bound_s

NODES = 4
quick = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
node = st.integers(0, NODES - 1)
messages = st.lists(
    st.tuples(node, node, st.integers(0, 3000), st.integers(0, 8)).filter(lambda m: m[0] != m[1]),
    min_size=1,
    max_size=12,
)
aborts = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 11)), max_size=4)
rates = st.lists(st.sampled_from(["1 kB/s", "2 kB/s", "0.5 kB/s"]), min_size=NODES, max_size=NODES)


async def play(world, parcel, sent, failed=()):
    """Send (sender, receiver, bytes, quarter seconds) and abort (quarter seconds, row)."""

    async def send(number, sender, receiver, size, quarters):
        await sleep(quarters / 4)
        await world.nodes[sender].broadcast([receiver], parcel(size), "x", number).settled()

    async def abort(quarters, row):
        await sleep(quarters / 4 + 0.1)
        if row < world.network.table.rows:
            world.network.fail(np.array([row]), LinkDown, "test")

    await asyncio.gather(
        *(send(number, *message) for number, message in enumerate(sent)),
        *(abort(*each) for each in failed),
    )
    columns = ("sender", "receiver", "carried_bits", "sent_bits", "start_s", "end_s", "status")
    return {name: world.network.table.column(name) for name in columns}


def bits_through_links(topology, table, column):
    """Bits of this column through each link."""
    ptr, links = topology.routes(table["sender"], table["receiver"])
    count = len(topology.capacity_bps_L)
    return np.bincount(links, np.repeat(table[column], np.diff(ptr)), count)


@quick
@given(messages, rates, rates)
def test_everything_arrives_whole_and_no_sooner_than_possible(simulate, parcel, sent, up, down):
    """All bits delivered; the end is no earlier than the phase bound, nor than each alone."""

    async def main(world):
        return await play(world, parcel, sent), world.network.topology

    table, topology = simulate(main, nodes=NODES, uplink=up, downlink=down)
    assert set(table["status"]) == {DELIVERED}
    assert (table["sent_bits"] == table["carried_bits"]).all()
    assert sorted(table["carried_bits"]) == sorted(8 * size for _, _, size, _ in sent)
    ptr, links = topology.routes(table["sender"], table["receiver"])
    bound = phase_bound_s(Phase(ptr, links, table["carried_bits"]), topology.capacity_bps_L)
    assert table["end_s"].max() >= bound * (1 - 1e-9)
    alone = table["carried_bits"] / topology.capacity_bps_L[links].reshape(-1, 2).min(1)
    assert (table["end_s"] - table["start_s"] >= alone * (1 - 1e-9)).all()


@quick
@given(messages, aborts)
def test_aborted_messages_keep_the_bits_they_sent(simulate, parcel, sent, failed):
    """Sent is delivered plus lost; no link carried more than its rate allows."""

    async def main(world):
        return await play(world, parcel, sent, failed), world.network.topology

    table, topology = simulate(main, nodes=NODES)
    assert MOVING not in table["status"]
    delivered, lost = table["status"] == DELIVERED, table["status"] == ABORTED
    assert (table["sent_bits"][delivered] == table["carried_bits"][delivered]).all()
    assert (table["sent_bits"][lost] <= table["carried_bits"][lost]).all()
    busy_s = table["end_s"].max()
    through = bits_through_links(topology, table, "sent_bits")
    assert (through <= topology.capacity_bps_L * busy_s * (1 + 1e-9) + 1).all()


@quick
@given(messages, aborts)
def test_the_same_two_nodes_keep_their_order(simulate, parcel, sent, failed):
    """Whatever the sizes and what is cut, what started earlier does not arrive later."""

    async def main(world):
        return await play(world, parcel, sent, failed)

    table = simulate(main, nodes=NODES, latency="10 ms")
    last = defaultdict(float)
    arrived = table["status"] == DELIVERED
    columns = (table[name][arrived] for name in ("sender", "receiver", "end_s"))
    for sender, receiver, end_s in zip(*columns, strict=True):
        assert end_s >= last[sender, receiver]
        last[sender, receiver] = end_s


@quick
@given(st.integers(1, 3), st.integers(1, 5000))
def test_equal_messages_end_as_the_closed_form_says(simulate, parcel, others, size):
    """One to many and many to one: others · size / rate; a ring: size / rate."""
    everyone = range(others + 1)
    out = [(0, receiver, size, 0) for receiver in everyone[1:]]
    back = [(sender, 0, size, 0) for sender in everyone[1:]]
    ring = [(sender, (sender + 1) % (others + 1), size, 0) for sender in everyone]
    for sent, load in ((out, others * size), (back, others * size), (ring, size)):

        async def main(world, sent=sent):
            return await play(world, parcel, sent)

        table = simulate(main, nodes=NODES)
        assert table["end_s"] == pytest.approx(np.full(len(sent), load / 1000), rel=1e-12)
