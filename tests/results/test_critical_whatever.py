"""Critical paths of anything that may happen in a round."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from netsim.results.records import ABORTED, DELIVERED, LOCAL

MBIT = 10**6


times = st.integers(0, 12).map(lambda t: t / 7)
sends = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 3), times, times, st.sampled_from([DELIVERED, ABORTED])
    ),
    min_size=1,
    max_size=20,
)
computations = st.lists(st.tuples(st.integers(0, 2), times, times), max_size=6)


@given(sends, computations, times, times)
def test_pieces_cover_the_round_exactly(story, sends, computed, one, other):
    """Whatever happened: each piece starts where the last ended, from start to end, forward."""
    rows = [(a, b, "m", MBIT, min(s, e), max(s, e) + 0.1 / 7 * (a + b)) for a, b, s, e, _ in sends]
    status = [LOCAL if a == b else how for a, b, _, _, how in sends]
    done = [(0, k, min(s, e), max(s, e)) for k, s, e in computed]
    start_s, end_s = min(one, other), max(one, other)
    why = story(latency="100 ms").why(rows, (start_s, end_s), done, status=status)
    edges = [start_s] if not why.path else [why.path[0].start_s, *(p.end_s for p in why.path)]
    assert [p.start_s for p in why.path] == edges[:-1]
    assert (edges[0], edges[-1]) == (start_s, end_s)
    assert all(p.end_s > p.start_s for p in why.path)
    assert not any(p.what == q.what == "waiting" for p, q in pairwise(why.path))
    assert all(0 <= p.latency_s <= p.length_s for p in why.path)
    assert all(0 <= (p.utilisation or 0) <= 1 for p in why.path)
