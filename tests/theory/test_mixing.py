"""Shatter's Lemma 5: contraction of one gossip step under the 1/r rule.

Statistical tests use fixed seeds; for other seeds each setting would fail by chance with a
probability below 1e-6 (five standard errors), all five together below 3e-6.
"""

import math

import numpy as np
import numpy.typing as npt
import pytest

from netsim.theory.mixing import contraction, contraction_printed

SMALL = [
    *[(2, 1, 1), (3, 1, 2), (6, 1, 2), (6, 1, 3), (7, 1, 4), (2, 2, 1), (2, 2, 2), (2, 2, 3)],
    *[(3, 2, 1), (3, 2, 2), (3, 2, 3), (3, 2, 4), (2, 3, 2), (2, 3, 3), (2, 3, 5), (4, 2, 2)],
]
MEASURED = [(10, 4, 4), (10, 1, 9), (20, 2, 4), (8, 8, 4), (5, 4, 8)]


def ratios(graphs: npt.NDArray[np.int8], nodes: int, chunks: int, degree: int) -> np.ndarray:
    """Σᵢ ‖C(θ)ᵢ‖² / Σᵢ ‖θᵢ‖² of each graph, for a θ without mean; two coordinates a chunk.

    A virtual node is numbered node · k + chunk; every one of a node gets what its neighbours
    hold, a chunk each, and the node adds up all it got of a coordinate.
    """
    theta_nkc = np.random.default_rng(3).normal(size=(nodes, chunks, 2))
    theta_nkc -= theta_nkc.mean(0)
    graphs_gnknk = graphs.reshape(-1, nodes, chunks, nodes, chunks)
    received_gnnk = graphs_gnknk.sum(2, dtype=np.int64)
    mixed_gnkc = np.einsum("gijk,jkc->gikc", received_gnnk, theta_nkc) / degree
    assert np.allclose(mixed_gnkc.mean(1), 0)
    return np.asarray((mixed_gnkc**2).sum((1, 2, 3)) / (theta_nkc**2).sum())


@pytest.mark.parametrize(("nodes", "chunks", "degree"), SMALL)
def test_over_all_graphs_it_is_exact(every_graph, nodes: int, chunks: int, degree: int) -> None:
    """The mean over every regular graph there is, to rounding."""
    found = ratios(every_graph(nodes * chunks, degree), nodes, chunks, degree)
    assert found.mean() == pytest.approx(contraction(nodes, chunks, degree), rel=1e-12)


@pytest.mark.parametrize(("nodes", "chunks", "degree"), MEASURED)
def test_measured_in_five_settings(drawn_graphs, nodes: int, chunks: int, degree: int) -> None:
    """Within five standard errors of the corrected ρ over 1000 graphs, below 7 % of it."""
    found = ratios(drawn_graphs(nodes * chunks, degree, 1000), nodes, chunks, degree)
    error = 5 * found.std() / math.sqrt(len(found))
    expected = contraction(nodes, chunks, degree)
    assert error < 0.07 * expected
    assert abs(found.mean() - expected) <= error + 1e-12
    assert abs(found.mean() - contraction_printed(nodes, chunks, degree)) > error


def test_epidemic_learning_by_hand() -> None:
    """k = 1: (n − r)/(r(n − 1)); with all others, each gets minus a share of its own."""
    for nodes, degree in ((10, 3), (10, 9), (50, 4)):
        expected = (nodes - degree) / (degree * (nodes - 1))
        assert contraction(nodes, 1, degree) == pytest.approx(expected)
    assert contraction(10, 1, 9) == pytest.approx(1 / 81)


def test_printed_it_is_no_bound() -> None:
    """Below the true value, even negative, as well as above it."""
    assert contraction_printed(10, 1, 9) < 0 < contraction(10, 1, 9)
    assert contraction_printed(10, 4, 4) > 1.2 * contraction(10, 4, 4)
    assert contraction_printed(10, 1, 6) < 0.8 * contraction(10, 1, 6)


@pytest.mark.parametrize("setting", [(1, 4, 3), (4, 0, 1), (4, 2, 8), (4, 2, 0), (3, 3, 3)])
def test_graphs_that_do_not_exist_are_refused(setting: tuple[int, int, int]) -> None:
    """One node, no virtual nodes, a degree too large, none, or odd on odd."""
    for formula in (contraction, contraction_printed):
        with pytest.raises(ValueError, match=r"no graph|nothing to mix"):
            formula(*setting)
    with pytest.raises(ValueError, match="four virtual nodes, not 2"):
        contraction_printed(2, 1, 1)
