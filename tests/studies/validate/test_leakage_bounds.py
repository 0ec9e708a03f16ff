"""Bounds of leakage beside what was observed, in any setting.

Where masks or graphs are drawn a bound on the mean may be exceeded by chance, below 1e-6 a case
(five standard errors); the examples are the same in every run.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from netsim.studies.validate.leakage import shatter
from netsim.studies.validate.leakage.eris import Case, counted
from netsim.studies.validate.leakage.watched import Place
from netsim.theory.leakage import shatter_coordinates
from netsim.wire.shards import ContiguousShards
from netsim.wire.sparsify import RandK

SAME_EXAMPLES = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@st.composite
def eris_cases(draw, compressions):
    clients = draw(st.integers(2, 7))
    aggregators = draw(st.integers(1, clients))
    most = aggregators if aggregators < clients else clients - 1
    compression = draw(compressions)
    more = {} if compression is None else {"compression": compression}
    masks = draw(st.sampled_from(["contiguous", "interleaved", "random"]))
    place = Place(clients, draw(st.integers(aggregators, 200)), rounds=draw(st.integers(2, 12)))
    return Case("drawn", aggregators, place, range(1, most + 1), more | {"masks": masks})


KEEPS = st.sampled_from([0.01, 0.05, 0.3, 0.5, 1.0])
RAND_K = st.one_of(st.none(), st.builds(lambda keep: {"kind": "rand_k", "keep": keep}, KEEPS))
BERNOULLI = st.builds(lambda keep: {"kind": "bernoulli", "keep": keep}, KEEPS)


@SAME_EXAMPLES
@given(eris_cases(RAND_K))
def test_aggregators_never_get_more_than_corollary_d2(case):
    """Any number of aggregators, masks and colluders: n p A_c/A in the mean, to the last digit,
    and no coalition more than its shards hold."""
    run = case.watch()
    sizes = ContiguousShards(case.place.parameters, case.aggregators).sizes
    keep = case.more.get("compression", {"keep": 1.0})["keep"]
    kept = sorted((RandK(keep).kept(int(size)) for size in sizes), reverse=True)
    for row, colluding in zip(counted(case, run), case.colluding, strict=True):
        assert row.verdict == "equal"
        assert row.observed <= row.bound * (1 + 1e-9)
        assert row.bound == pytest.approx(sum(kept) * colluding / case.aggregators)
        assert row.most <= sum(kept[:colluding])


@SAME_EXAMPLES
@given(eris_cases(BERNOULLI))
def test_nor_where_the_masks_are_drawn_in_number(case):
    """In the mean over rounds, within what chance allows; the size of the shards always."""
    run = case.watch()
    sizes = sorted(ContiguousShards(case.place.parameters, case.aggregators).sizes, reverse=True)
    for row, colluding in zip(counted(case, run), case.colluding, strict=True):
        n, p = case.place.parameters * colluding / case.aggregators, case.kept()
        error = np.sqrt(n * p * (1 - p) / case.place.rounds)
        assert row.observed <= row.bound + 5 * error + 1e-9
        assert row.most <= sum(sizes[:colluding])


@st.composite
def graphs(draw):
    """Where chunks are missed never or often, so that the rounds show how much chance there is."""
    nodes, k = draw(st.integers(2, 6)), draw(st.integers(1, 4))
    degree = draw(st.integers(1, nodes * k - 1).filter(lambda r: r * nodes * k % 2 == 0))
    rounds, coalitions = 60, tuple(range(1, nodes))
    missed = [1 - shatter_coordinates(1, nodes, k, degree, colluding=c) for c in coalitions]
    assume(all(share == 0 or share * rounds > 5 for share in missed))
    place = Place(nodes, draw(st.integers(k, 60)), rounds=rounds)
    return shatter.Case(k, degree, place, coalitions)


@SAME_EXAMPLES
@given(graphs())
def test_nodes_never_get_more_of_a_model_than_theorem_3(case):
    """In the mean over graphs, within what chance allows; and a chunk takes an edge to see."""
    run, n = case.watch(), case.place.parameters
    for row in (*shatter.chunks(case, run), *shatter.whole_models(case, run)):
        assert not row.broken, row
    for colluding in case.colluding:
        measured = run.received(colluding, range(case.place.clients))
        assert measured.mean <= shatter_coordinates(n, *case.graph, colluding=colluding) + max(
            5 * measured.error, 1e-9 * n
        )
        edges = colluding * case.virtual_nodes * case.degree
        assert measured.most <= min(n, edges * -(-n // case.virtual_nodes))
