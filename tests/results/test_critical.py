"""Critical paths of rounds made up so that the path is known."""

import pytest

from netsim.network.topology import Guest
from netsim.results.explanation import Piece
from netsim.results.records import ABORTED, DELIVERED, LOCAL

MBIT = 10**6
SERVER = 3


def told(why):
    """The path in short: what, from whom, to whom, from when to when."""
    return [
        (
            each.kind if each.what == "transfer" else each.what,
            each.sender,
            each.receiver,
            each.start_s,
            each.end_s,
        )
        for each in why.path
    ]


def fedavg(slow_up=1, server=1):
    """Updates of 8 Mbit from nodes 0 to 2, of which 2 takes ``slow_up`` s, and models back."""
    ends = [server, server, max(slow_up, server)]
    up = [(k, SERVER, "update", 8 * MBIT, 0, ends[k]) for k in range(3)]
    down = [(SERVER, k, "model", 8 * MBIT, ends[2], ends[2] + server + k / 8) for k in range(3)]
    return up + down


def test_fedavg_waits_for_the_slow_client(story):
    """Its update, then the model that arrives last; its uplink was full all the time."""
    net = story(uplink=["8 Mbit/s", "8 Mbit/s", "2 Mbit/s"], server={"uplink": "24 Mbit/s"})
    why = net.why(fedavg(slow_up=4), (0, 5.25))
    assert told(why) == [
        ("update", "node 2", "server", 0, 4),
        ("model", "server", "node 2", 4, 5.25),
    ]
    assert [(each.bits, each.status) for each in why.path] == [(8 * MBIT, "delivered")] * 2
    assert (why.bottleneck.link, why.bottleneck.time_s) == ("uplink of node 2", 4)
    assert why.bottleneck.utilisation == pytest.approx(1)


def test_fedavg_at_a_slow_server(story):
    """All updates end together: the server's downlink was full, no client's uplink was."""
    why = story().why(fedavg(slow_up=3, server=3), (0, 6.25))
    assert told(why) == [
        ("update", "node 0", "server", 0, 3),
        ("model", "server", "node 2", 3, 6.25),
    ]
    assert [each.link for each in why.path] == ["downlink of server", "uplink of server"]
    assert why.path[0].utilisation == pytest.approx(1)
    assert why.bottleneck.link == "downlink of server"


def test_eris_with_one_slow_aggregator(story):
    """Shards reach aggregator 1 late, and its part of the model is the last to arrive."""
    up = [(k, a, "shard", MBIT, 0, [1, 4][a] + k / 8) for k in range(3) for a in range(2) if k != a]
    down = [
        (a, k, "model", MBIT, up_end, up_end + [1, 3][a])
        for a, up_end in ((0, 1.25), (1, 4.25))
        for k in range(3)
        if k != a
    ]
    why = story(3, guests=()).why(up + down, (0, 7.25))
    assert told(why) == [
        ("shard", "node 2", "node 1", 0, 4.25),
        ("model", "node 1", "node 0", 4.25, 7.25),
    ]


def test_computing_can_make_the_round(story):
    """A slow computation, then a fast update."""
    sends = [(0, SERVER, "update", MBIT, 5, 5.5), (1, SERVER, "update", MBIT, 1, 4)]
    why = story().why(sends, (0, 5.5), [(0, 0, 0.0, 5.0), (0, 1, 0.0, 1.0)])
    assert told(why) == [
        ("computation", "node 0", None, 0, 5),
        ("update", "node 0", "server", 5, 5.5),
    ]
    assert (why.computing_s, why.sending_s, why.waiting_s) == (5, 0.5, 0)


def test_only_computing(story):
    """Nothing was sent, so there is no bottleneck."""
    sends = [(0, 1, "late", MBIT, 7, 8)]
    why = story().why(sends, (0, 2), [(0, 1, 0.0, 2.0)])
    assert told(why) == [("computation", "node 1", None, 0, 2)]
    assert why.bottleneck is None


def test_a_barrier_between_phases(story):
    """Node 0 goes on when the slowest elsewhere is done; an arrival of its own came earlier."""
    sends = [
        (1, 0, "first", MBIT, 0, 1),
        (1, 2, "first", MBIT, 0, 3),
        (0, 1, "second", MBIT, 3, 5),
    ]
    why = story().why(sends, (0, 5))
    assert told(why) == [
        ("first", "node 1", "node 2", 0, 3),
        ("second", "node 0", "node 1", 3, 5),
    ]


def test_what_ends_at_the_host_counts_before_what_ends_elsewhere(story):
    """Two arrivals at one instant: the one at the sender is the cause, though it is shorter."""
    sends = [
        (1, 2, "other", MBIT, 0, 3),
        (2, 0, "own", MBIT, 1, 3),
        (0, 1, "next", MBIT, 3, 4),
    ]
    why = story().why(sends, (0, 4))
    assert told(why)[1:] == [
        ("own", "node 2", "node 0", 1, 3),
        ("next", "node 0", "node 1", 3, 4),
    ]


def test_of_equal_causes_the_longest(story):
    """Both arrive at the instant of the next start; the one on its way since the start counts."""
    sends = [
        (1, 0, "short", MBIT, 2, 3),
        (2, 0, "long", MBIT, 0, 3),
        (0, 1, "next", MBIT, 3, 4),
    ]
    assert told(story().why(sends, (0, 4)))[0] == ("long", "node 2", "node 0", 0, 3)


def test_one_send_after_the_other(story):
    """The next may start when the last bit has left, before it arrives: no latency in between."""
    net = story(latency="500 ms")
    sends = [(0, 1, "a", MBIT, 0, 2.5), (0, 2, "b", MBIT, 2, 3.5)]
    why = net.why(sends, (0, 3.5))
    assert told(why) == [("a", "node 0", "node 1", 0, 2), ("b", "node 0", "node 2", 2, 3.5)]
    assert [each.latency_s for each in why.path] == [0, 0.5]
    assert (why.latency_s, why.sending_s) == (0.5, 3.0)


def test_a_retry_after_an_outage_waits(story):
    """The abort is known at the sender, which waits and sends again."""
    sends = [(0, 1, "model", 8 * MBIT, 0, 1), (0, 1, "model", 8 * MBIT, 3, 4)]
    why = story().why(sends, (0, 4), status=[ABORTED, DELIVERED])
    assert told(why) == [
        ("model", "node 0", "node 1", 0, 1),
        ("waiting", "node 0", "node 1", 1, 3),
        ("model", "node 0", "node 1", 3, 4),
    ]
    first = why.path[0]
    assert (first.status, first.bits, first.latency_s) == ("aborted", 4 * MBIT, 0)
    assert why.waiting_s == 2


def test_a_message_waits_since_its_own_last_attempt(story):
    """Refused at once the second time; what reached its sender meanwhile is not the cause."""
    sends = [
        (0, 1, "model", 8 * MBIT, 0, 1),
        (0, 1, "model", 8 * MBIT, 2, 2),
        (1, 0, "other", MBIT, 1.5, 3),
        (0, 1, "model", 8 * MBIT, 4, 5),
        (0, 1, "model", 8 * MBIT, 3, 6),
    ]
    why = story().why(sends, (0, 5), status=[ABORTED, ABORTED, DELIVERED, DELIVERED, ABORTED])
    assert told(why) == [
        ("model", "node 0", "node 1", 0, 1),
        ("waiting", "node 0", "node 1", 1, 4),
        ("model", "node 0", "node 1", 4, 5),
    ]


def test_a_message_that_failed_in_an_earlier_round(story):
    """Waiting since the round's start."""
    sends = [(0, 1, "model", 8 * MBIT, 0, 1), (0, 1, "model", 8 * MBIT, 3, 4)]
    why = story().why(sends, (2, 4), status=[ABORTED, DELIVERED])
    assert told(why) == [
        ("waiting", None, None, 2, 3),
        ("model", "node 0", "node 1", 3, 4),
    ]


def test_an_abort_lets_its_receiver_go_on(story):
    """A deadline cuts a transfer; the receiver starts at that instant."""
    sends = [(0, SERVER, "update", 8 * MBIT, 0, 2), (SERVER, 1, "model", MBIT, 2, 3)]
    why = story().why(sends, (0, 3), status=[ABORTED, DELIVERED])
    assert told(why) == [
        ("update", "node 0", "server", 0, 2),
        ("model", "server", "node 1", 2, 3),
    ]


def test_waiting_at_both_ends_of_a_round(story):
    """A first send after a pause, and an end later than the last arrival."""
    why = story().why([(0, 1, "model", MBIT, 1, 2)], (0, 3))
    assert [(each.what, each.start_s, each.end_s) for each in why.path] == [
        ("waiting", 0, 1),
        ("transfer", 1, 2),
        ("waiting", 2, 3),
    ]


def test_the_last_event_at_the_host_may_be_long_ago(story):
    """Two hundred arrivals elsewhere since do not matter to a node that waited."""
    sends = [
        (1, 0, "early", MBIT, 0, 1),
        *((1, 2, "other", MBIT, 1 + k / 100, 1 + (k + 1) / 100) for k in range(200)),
        (0, 1, "late", MBIT, 4, 5),
    ]
    assert told(story().why(sends, (0, 5)))[:2] == [
        ("early", "node 1", "node 0", 0, 1),
        ("waiting", None, None, 1, 4),
    ]


def test_nothing_happened(story):
    """A round of waiting, and one of no length."""
    sends = [(0, 1, "model", MBIT, 7, 8)]
    assert story().why(sends, (0, 3)).path == (Piece("waiting", 0, 3),)
    assert story().why(sends, (0, 0)).path == ()


def test_what_takes_no_time_is_passed_over(story):
    """A message refused at once lets others go on, and its sender's arrival is the cause."""
    sends = [
        (0, 1, "model", MBIT, 0, 2),
        (1, 2, "lost", MBIT, 2, 2),
        (2, 0, "model", MBIT, 2, 3),
    ]
    why = story().why(sends, (0, 3), status=[DELIVERED, ABORTED, DELIVERED])
    assert told(why) == [
        ("model", "node 0", "node 1", 0, 2),
        ("model", "node 2", "node 0", 2, 3),
    ]


def test_virtual_nodes_act_for_their_host(story):
    """A local message costs nothing: what reached one node of a host lets another send."""
    guests = (Guest("virtual 0", host=0), Guest("virtual 1", host=1))
    net = story(4, guests=guests)
    sends = [
        (1, 2, "exchange", MBIT, 0.5, 2),
        (2, 0, "forward", MBIT, 2, 2),
        (0, 3, "answer", MBIT, 2, 3),
        (0, 1, "other", MBIT, 0, 2),
    ]
    why = net.why(sends, (0, 3), status=[DELIVERED, LOCAL, DELIVERED, DELIVERED])
    assert told(why)[1:] == [
        ("exchange", "node 1", "virtual 0", 0.5, 2),
        ("answer", "node 0", "virtual 1", 2, 3),
    ]
    assert why.path[1].link == "uplink of node 1"


def test_rounds_that_overlap_are_cut(story):
    """A piece begun before the round counts from its start; later rounds do not count."""
    sends = [
        (0, 1, "model", MBIT, 0.5, 3),
        (1, 2, "model", MBIT, 3, 4),
        (2, 1, "model", MBIT, 1, 4),
    ]
    why = story().why(sends, (2, 4), number=1, round=[0, 1, 2])
    assert told(why) == [
        ("model", "node 0", "node 1", 2, 3),
        ("model", "node 1", "node 2", 3, 4),
    ]


def test_latency_cannot_exceed_the_piece(story):
    """A piece cut at the round's start may be all latency."""
    net = story(latency="2 s")
    why = net.why([(0, 1, "model", 8 * MBIT, 0, 3)], (2, 3))
    assert why.path[0].latency_s == 1


def test_a_long_chain(story):
    """Five thousand messages to and fro: every one is on the path, in order."""
    sends = [(k % 2, 1 - k % 2, "ball", MBIT, k / 4, (k + 1) / 4) for k in range(5000)]
    why = story().why(sends, (0, 1250))
    assert [each.start_s for each in why.path] == [k / 4 for k in range(5000)]
    assert why.bottleneck.utilisation == pytest.approx(0.5)
