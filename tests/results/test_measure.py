"""Times, bytes and counts, against sums made by hand or by brute force."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.results import measure
from netsim.results.records import ABORTED, DELIVERED, LOCAL, RoleTraffic

INTERVALS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)), max_size=12)


def _union(intervals):
    start = np.array([a for a, _ in intervals], float)
    return measure.union_length(start, start + np.array([d for _, d in intervals], float))


@given(INTERVALS)
def test_union_length_equals_the_cells_covered(intervals):
    """On whole numbers the union is the number of unit cells some interval covers."""
    covered = {cell for start, length in intervals for cell in range(start, start + length)}
    assert _union(intervals) == len(covered)


@given(INTERVALS, st.randoms(use_true_random=False))
def test_union_length_ignores_order(intervals, random):
    """The rows of a table come in any order."""
    shuffled = random.sample(intervals, len(intervals))
    assert _union(shuffled) == _union(intervals)


def test_union_without_gaps_is_last_arrival_minus_first_send():
    """No rounding enters when one interval follows the other."""
    times = np.linspace(0.1, 0.7, 7)
    assert measure.union_length(times[:-1], times[1:]) == times[-1] - times[0]


def test_distribution_time_leaves_out_gaps_and_local_messages(table):
    """Two transfers with a second of computing between them; a local message spans it all."""
    rows = table(
        round=[0, 0, 0],
        start_s=[0.0, 2.0, 0.0],
        end_s=[1.0, 2.5, 9.0],
        status=[DELIVERED, ABORTED, LOCAL],
    )
    assert measure.distribution_times(rows) == {0: 1.5}


def test_rounds_that_meet_do_not_overlap(table):
    """The next round may begin at the instant the last one ends, up to rounding."""
    rows = table(round=[0, 1], start_s=[0.0, 0.3], end_s=[0.1 + 0.2, 1.3])
    assert rows.end_s[0] > rows.start_s[1]
    assert measure.distribution_times(rows) == {0: 0.1 + 0.2, 1: 1.0}


def test_rounds_that_overlap_report_none(table):
    """Rounds 1 and 2 share time, though round 0 and 3 lie apart from them."""
    rows = table(round=[0, 1, 2, 3], start_s=[0.0, 1.0, 1.5, 4.0], end_s=[1.0, 3.0, 2.0, 5.0])
    assert measure.distribution_times(rows) == {0: 1.0, 1: None, 2: None, 3: 1.0}


def test_a_round_within_a_long_one_overlaps_it_though_another_lies_between(table):
    """The furthest end counts, not that of the neighbour."""
    rows = table(round=[0, 1, 2], start_s=[0.0, 1.0, 3.0], end_s=[9.0, 2.0, 4.0])
    assert measure.distribution_times(rows) == {0: None, 1: None, 2: None}


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.integers(0, 1), st.integers(0, 2**62), st.sampled_from([0, 1, 2])
        ),
        max_size=3,
    )
)
def test_bits_are_conserved_exactly(table, rows):
    """Sent is delivered plus lost to the bit, beyond what floats can count."""
    if not rows:
        rows = [(0, 0, 0, 0)]
    number, kind, bits, status = (list(column) for column in zip(*rows, strict=True))
    bits = [b // len(rows) for b in bits]
    sent = [[b, b // 3, 0][s] for b, s in zip(bits, status, strict=True)]
    made = table(round=number, kind=kind, carried_bits=bits, sent_bits=sent, status=status)
    total = measure.traffic(made)
    assert total.sent_bits == total.delivered_bits + total.lost_bits == sum(sent)
    assert total.lost_bits == sum(b for b, s in zip(sent, status, strict=True) if s == ABORTED)
    by_round = measure.traffic_by_round(made)
    assert set(by_round) == set(number)
    assert sum(part.sent_bits for part in by_round.values()) == total.sent_bits
    assert sum(r.upload_bits for r in total.by_role.values()) == total.sent_bits
    assert sum(r.download_bits for r in total.by_role.values()) == total.delivered_bits


def test_traffic_by_hand(table):
    """One delivered shard, one aborted half way, one local, one delivered model."""
    rows = table(
        round=[0, 0, 0, 1],
        kind=[0, 0, 0, 1],
        status=[DELIVERED, ABORTED, LOCAL, DELIVERED],
        carried_bits=[100, 200, 400, 1000],
    )
    total = measure.traffic(rows)
    assert (total.payload_bits, total.wire_bits) == (1300 - 3 * 32, 1300)
    assert (total.sent_bits, total.delivered_bits, total.lost_bits) == (1200, 1100, 100)
    assert total.by_role == {
        "client": RoleTraffic(upload_bits=200, download_bits=1000),
        "aggregator": RoleTraffic(upload_bits=1000, download_bits=100),
    }
    assert measure.traffic_by_round(rows)[1].sent_bits == 1000
    assert measure.message_counts(rows) == {"model": 1, "shard": 3}
    assert measure.local_messages(rows) == 1


def test_virtual_nodes_count_for_their_host(table):
    """Nodes 0 and 2 share an access link; a lost download reaches nobody."""
    rows = table(
        round=[0, 0, 0],
        sender=[0, 2, 1],
        receiver=[1, 1, 2],
        status=[DELIVERED, ABORTED, DELIVERED],
        carried_bits=[100, 200, 400],
    )
    hosts = measure.host_traffic(dataclasses.replace(rows, node_hosts=(0, 1, 0)))
    assert hosts.upload_bits.tolist() == [200, 400]
    assert hosts.download_bits.tolist() == [400, 100]


@pytest.mark.parametrize("measured", [measure.traffic_by_round, measure.distribution_times])
def test_nothing_sent_measures_nothing(table, measured):
    """Without rows there are no rounds."""
    assert measured(table(round=[])) == {}
