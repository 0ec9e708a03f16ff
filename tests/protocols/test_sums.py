"""Sums over messages, side by side."""

import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.learning.errors import TrainingDiverged
from netsim.network.messages import Arrivals, Sending
from netsim.protocols.sums import Sums
from netsim.wire.deferred import Deferred

TASK = SimpleNamespace(defer=Deferred)
SIZE = 5


def arrivals(senders, payload):
    """One message of each sender, whose payload is made when it is looked at."""
    sendings = [Sending(f"node {each}", each, payload(each), False, 1, str) for each in senders]
    return Arrivals((0, 0, 0), senders, sendings, [0] * len(senders), {})


def vector(sender, a=0):
    return np.random.default_rng([sender, a]).normal(size=SIZE).astype(np.float32)


@given(
    owners=st.lists(st.sets(st.integers(0, 9)).map(sorted), min_size=1, max_size=4),
    order=st.randoms(use_true_random=False),
)
def test_each_sum_is_what_it_is_alone(owners, order):
    """Term by term in the order of senders, whoever else is summed and whichever is read first."""
    sums, weights = Sums(TASK), {k: 0.1 * (k + 1) for k in range(10)}
    values = [
        sums.of(
            0,
            SIZE,
            arrivals(senders, lambda k: k),
            weights,
            lambda message, a=a: vector(message.payload, a),
        )
        for a, senders in enumerate(owners)
    ]
    for a in order.sample(range(len(owners)), len(owners)):
        expected = np.zeros(SIZE, np.float32)
        for k in owners[a]:
            expected += np.float32(weights[k]) * vector(k, a)
        assert np.array_equal(values[a].value(), expected)


def test_all_sums_of_a_round_advance_together():
    """Client by client: 0 for all three owners, then 1 for all, and so on."""
    sums, seen = Sums(TASK), []

    def restore(message, a):
        seen.append((message.sender, a))
        return np.zeros(SIZE, np.float32)

    values = [
        sums.of(
            0,
            SIZE,
            arrivals([0, 1, 2], str),
            dict.fromkeys(range(3), 1.0),
            lambda message, a=a: restore(message, a),
        )
        for a in range(3)
    ]
    late = sums.of(1, SIZE, arrivals([0], str), {0: 1.0}, lambda message: restore(message, "late"))
    values[1].value()
    assert [sender for sender, _ in seen] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert len(set(seen)) == 9
    for value in values:
        value.value()
    assert len(seen) == 9
    late.value()
    assert seen[9:] == [(0, "late")]


def test_what_was_added_is_let_go():
    """Before the next message is looked at."""
    sums, alive = Sums(TASK), []

    class Payload:
        pass

    def restore(message):
        assert [ref for ref in alive if ref() is not None] == []
        return np.ones(SIZE, np.float32)

    def payload(sender):
        return Payload()

    mail = arrivals(range(6), payload)
    gone = [weakref.ref(mail[k].payload) for k in range(6)]
    counts = []

    def counted(message):
        counts.append(sum(ref() is not None for ref in gone))
        return restore(message)

    value = sums.of(0, SIZE, mail, dict.fromkeys(range(6), 1.0), counted)
    assert value.value().tolist() == [6.0] * SIZE
    assert counts == [6, 5, 4, 3, 2, 1]


def test_sums_that_nobody_reads_are_forgotten():
    """With their messages."""
    sums = Sums(TASK)
    mail = arrivals([0], lambda _: Deferred.of(np.zeros(SIZE, np.float32)))
    gone = weakref.ref(mail[0].payload)
    value = sums.of(0, SIZE, mail, {0: 1.0}, lambda message: message.payload.value())
    del mail
    assert gone() is not None
    del value
    assert gone() is None


def test_a_failure_is_told_each_time_and_nothing_is_added_twice():
    """Client 1 broke down: its sum raises whenever it is read, and goes on once it can."""
    sums, broken = Sums(TASK), [True]

    def restore(message):
        if message.sender == 1 and broken:
            raise TrainingDiverged(1, 0)
        return np.ones(SIZE, np.float32)

    values = [
        sums.of(0, SIZE, arrivals(senders, str), dict.fromkeys(range(3), 1.0), restore)
        for senders in ([0, 1, 2], [0, 2])
    ]
    for _ in range(2):
        with pytest.raises(TrainingDiverged):
            values[0].value()
    broken.clear()
    assert [value.value()[0] for value in values] == [3.0, 2.0]
