"""Who talks to whom."""

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from netsim.kernel.streams import Streams
from netsim.network.overlay import (
    OVERLAYS,
    Complete,
    KRegular,
    RandomRegular,
    Ring,
    Star,
    degree_problems,
    neighbours,
    random_regular,
    usual_degree,
)

STREAMS = Streams(7)


def degrees(overlay, nodes, round=0):
    """Number of neighbours of each node."""
    return [len(others) for others in neighbours(overlay.graph(nodes, STREAMS, round))]


@pytest.mark.parametrize("nodes", [1, 2, 3, 6])
def test_complete_ring_and_star(nodes):
    """Degrees as their names say, without loops or double edges in the smallest ones."""
    others = nodes - 1
    assert degrees(Complete(), nodes) == [others] * nodes
    assert degrees(Ring(), nodes) == [min(2, others)] * nodes
    assert degrees(Star(), nodes) == [others] + [1] * others


def test_a_ring_joins_each_node_with_the_next():
    """Neighbours are ascending."""
    ring = neighbours(Ring().graph(5, STREAMS, 0))
    assert [others.tolist() for others in ring] == [[1, 4], [0, 2], [1, 3], [2, 4], [0, 3]]


@given(st.integers(2, 12), st.integers(1, 11))
def test_k_regular_and_random_regular_have_their_degree(nodes, degree):
    """Wherever the degree is possible; symmetric, without loops, connected when circulant."""
    assume(not list(degree_problems(degree, nodes)))
    for overlay in (KRegular(degree=degree), RandomRegular(degree=degree)):
        graph = overlay.graph(nodes, STREAMS, 3)
        assert sorted(graph) == list(range(nodes))
        assert degrees(overlay, nodes, 3) == [degree] * nodes
        assert nx.number_of_selfloops(graph) == 0
    if degree > 1 or nodes == 2:
        assert nx.is_connected(KRegular(degree=degree).graph(nodes, STREAMS, 0))


@given(st.integers(1, 12), st.integers(1, 12))
def test_an_impossible_degree_has_one_problem_that_says_why(nodes, degree):
    """Too many neighbours, or an odd sum of degrees; the degree it suggests is possible."""
    problems = list(degree_problems(degree, nodes))
    if degree >= nodes:
        assert problems == [(("degree",), f"{degree} is not below the number of nodes, {nodes}")]
    elif degree * nodes % 2:
        ((loc, message),) = problems
        assert loc == ("degree",)
        assert message.endswith(f"write {degree + 1}")
        assert list(degree_problems(degree + 1, nodes)) == []
    else:
        assert problems == []


def edges(round, seed=7, redraw=True):
    """The edges of a random 4-regular graph of 20 nodes."""
    graph = RandomRegular(degree=4, redraw=redraw).graph(20, Streams(seed), round)
    return sorted(map(sorted, graph.edges))


def test_a_random_graph_is_redrawn_each_round_and_the_same_each_time():
    """Keyed by seed and round; ``redraw: false`` keeps that of round 0."""
    assert edges(0) == edges(0)
    assert edges(0) != edges(1)
    assert edges(0) != edges(0, seed=8)
    assert edges(5, redraw=False) == edges(0)


@settings(max_examples=30)
@given(st.integers(0, 2**31))
def test_every_pair_may_meet_in_a_random_graph(seed):
    """Over 60 rounds of degree 3 each of 15 pairs of 6 nodes meets, and none always."""
    met = [set(random_regular(3, 6, Streams(seed), round).edges) for round in range(60)]
    assert len(set.union(*({frozenset(e) for e in each} for each in met))) == 15


def test_without_a_degree_it_is_four_or_as_many_as_there_are():
    """The usual degree is always possible."""
    assert [usual_degree(None, nodes) for nodes in (1, 2, 4, 5, 6)] == [0, 1, 3, 4, 4]
    assert usual_degree(3, 100) == 3
    for nodes in range(2, 10):
        assert list(degree_problems(usual_degree(None, nodes), nodes)) == []


@pytest.mark.parametrize("kind", OVERLAYS)
def test_overlays_state_their_problems_or_have_none(kind):
    """Those with a degree refuse one that is too big; the others take any number of nodes."""
    has_degree = "degree" in kind.model_fields
    overlay = kind(degree=5) if has_degree else kind()
    assert bool(list(overlay.problems(4))) == has_degree
