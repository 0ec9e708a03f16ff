"""Leakage in closed form: against all graphs, drawn graphs, Gaussians and hand counts.

Statistical tests use fixed seeds; for other seeds each would fail by chance with a probability
below 1e-6 (five standard errors).
"""

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from netsim.theory.leakage import (
    eris_coordinates,
    eris_leakage_nats,
    gaussian_coordinate_nats,
    shatter_coordinates,
    shatter_coordinates_printed,
    shatter_leakage_nats,
    shatter_leakage_printed,
    shatter_whole_model_printed,
    shatter_whole_model_range,
)

SMALL = [(2, 2, 1), (2, 2, 2), (3, 2, 2), (3, 2, 3), (2, 3, 3), (4, 2, 2), (4, 2, 3), (6, 1, 3)]
DRAWN = {
    (10, 2, 4): +0.03,
    (10, 4, 4): +0.09,
    (5, 4, 8): -0.11,
    (10, 3, 10): -0.05,
    (20, 2, 4): +0.08,
}
"""Settings, and the relative error of Theorem 2 in each as its docstring has it."""


def seen(graphs: npt.NDArray[np.int8], nodes: int, chunks: int) -> npt.NDArray[np.bool_]:
    """Whether node i gets chunk s of node j ≠ i, Bool[G, pairs of nodes, k]."""
    edges = graphs.reshape(-1, nodes, chunks, nodes, chunks)
    return np.asarray(edges.any(2)[:, ~np.eye(nodes, dtype=bool)])


@pytest.mark.parametrize(("nodes", "chunks", "degree"), SMALL)
def test_theorem_3_counts_exactly(every_graph, nodes: int, chunks: int, degree: int) -> None:
    """The mean over all regular graphs; for coalitions too."""
    graphs = every_graph(nodes * chunks, degree)
    share = seen(graphs, nodes, chunks).mean()
    assert shatter_coordinates(1, nodes, chunks, degree) == pytest.approx(share, rel=1e-12)
    edges = graphs.reshape(-1, nodes, chunks, nodes, chunks)
    for many in range(nodes):
        together = edges[:, :many, :, nodes - 1].any((1, 2)).mean()
        exact = shatter_coordinates(1, nodes, chunks, degree, colluding=many)
        assert exact == pytest.approx(together, rel=1e-12)


@pytest.mark.parametrize(("nodes", "chunks", "degree"), list(DRAWN))
def test_theorems_2_and_3_on_drawn_graphs(
    drawn_graphs, nodes: int, chunks: int, degree: int
) -> None:
    """The exact count, and Theorem 2 less its error, within five standard errors."""
    found = seen(drawn_graphs(nodes * chunks, degree, 800), nodes, chunks)
    shares, wholes = found.mean((1, 2)), found.all(2).mean(1)
    exact = shatter_coordinates(1, nodes, chunks, degree)
    error = 5 * shares.std() / math.sqrt(len(shares))
    assert error < 0.02
    assert abs(shares.mean() - exact) <= error
    low, high = shatter_whole_model_range(nodes, chunks, degree)
    error = 5 * wholes.std() / math.sqrt(len(wholes))
    assert low - error <= wholes.mean() <= high + error
    printed = shatter_whole_model_printed(nodes, chunks, degree)
    assert abs(printed / (1 + DRAWN[nodes, chunks, degree]) - wholes.mean()) <= error


@pytest.mark.parametrize(
    ("setting", "error"), [((2, 2, 2), -0.21), ((3, 2, 2), -0.157), ((4, 2, 3), -0.083)]
)
def test_theorem_2_is_an_approximation(
    every_graph, setting: tuple[int, int, int], error: float
) -> None:
    """Over all graphs: up to a fifth too small; exact for k = 1."""
    nodes, chunks, degree = setting
    true = seen(every_graph(nodes * chunks, degree), nodes, chunks).all(2).mean()
    printed = shatter_whole_model_printed(nodes, chunks, degree)
    assert printed / true - 1 == pytest.approx(error, abs=1e-3)
    one = shatter_coordinates(1, 6, 1, degree)
    assert shatter_whole_model_printed(6, 1, degree) == pytest.approx(one)


def test_theorem_3_as_printed_is_too_small() -> None:
    """Up to a few per cent, exact for k = 1; both fall as k grows."""
    for k in range(1, 9):
        exact, printed = (
            rule(1, 20, k, 4) for rule in (shatter_coordinates, shatter_coordinates_printed)
        )
        assert printed == pytest.approx(exact) if k == 1 else 0.9 * exact < printed < exact
    counts = [shatter_coordinates(1, 20, k, 4) for k in range(1, 9)]
    assert all(later < earlier for earlier, later in pairwise(counts))


def test_all_other_nodes_together_see_everything() -> None:
    """A degree above what the node's own virtual nodes can take up leaves no chunk unseen."""
    assert shatter_coordinates(7, 5, 4, 4, colluding=4) == 7
    assert shatter_coordinates(7, 5, 4, 4, colluding=0) == 0
    assert shatter_coordinates(7, 5, 4, 2, colluding=4) < 7


def test_eris_by_hand() -> None:
    """n = 1000, p = 0.1, A = 20, T = 30, C_max = ½ ln 4: 5 coordinates a round, ln 2 nats each."""
    coordinate = gaussian_coordinate_nats(4, 1)
    assert coordinate == pytest.approx(math.log(2))
    assert eris_coordinates(1000, 0.1, 20) == pytest.approx(5)
    leaked = eris_leakage_nats(1000, 30, 0.1, 20, coordinate)
    assert leaked == pytest.approx(150 * math.log(2))
    for many in (0, 1, 7, 20):
        together = eris_leakage_nats(1000, 30, 0.1, 20, coordinate, colluding=many)
        assert together == pytest.approx(many * leaked)
    assert gaussian_coordinate_nats(3, 3) == 0


def gaussian_information(covariance: np.ndarray, received: int) -> float:
    """I(first ``received``; the rest) of a Gaussian, nats."""
    parts = covariance[:received, :received], covariance[received:, received:], covariance
    first, second, both = (np.linalg.slogdet(part)[1] for part in parts)
    return float(first + second - both) / 2


@pytest.mark.parametrize("received", [1, 3, 6])
@pytest.mark.parametrize("seed", range(5))
def test_theorem_4_bounds_the_information_of_a_gaussian(received: int, seed: int) -> None:
    """Corrected and, more so, as printed; in nats, for random covariances of 9 parameters."""
    root = np.random.default_rng(seed).normal(size=(9, 14))
    covariance = root @ root.T / 14
    across = covariance[:received, received:]
    rest = np.linalg.inv(covariance[received:, received:])
    eigenvalues = np.linalg.eigvalsh(covariance[:received, :received] - across @ rest @ across.T)
    given = (received, np.abs(covariance).max(), eigenvalues.min() / 1.01, eigenvalues.max())
    corrected = shatter_leakage_nats(*given, trace=eigenvalues.sum())
    assert 0 < gaussian_information(covariance, received) <= corrected * (1 + 1e-9)
    assert shatter_leakage_printed(*given, trace=eigenvalues.sum()) > 2 * corrected


def test_theorem_4_by_the_steps_of_its_proof() -> None:
    """½ (ln B^d d^(d/2) − κ ln α − (d − κ) ln β) with κ = (β d − trace)/(β − α)."""
    d, largest, low, high, trace = 7, 1.3, 0.2, 0.9, 3.1
    kappa = (high * d - trace) / (high - low)
    determinant = kappa * math.log(low) + (d - kappa) * math.log(high)
    expected = (d * math.log(largest) + d / 2 * math.log(d) - determinant) / 2
    assert shatter_leakage_nats(d, largest, low, high, trace) == pytest.approx(expected)
    printed = shatter_leakage_printed(d, largest, low, high, trace)
    assert printed == pytest.approx(math.exp(2 * expected))
    assert shatter_leakage_nats(0, largest, low, high, 0.0) == 0
    assert shatter_leakage_printed(1000, largest, low, high, 500.0) == math.inf


def test_what_cannot_be_is_refused() -> None:
    """More observers than there are, no such graph, variances and eigenvalues out of order."""
    with pytest.raises(ValueError, match="3 of 2 aggregators"):
        eris_coordinates(10, 0.5, 2, colluding=3)
    with pytest.raises(ValueError, match="probability 2"):
        eris_coordinates(10, 2, 2)
    with pytest.raises(ValueError, match="5 of 4 other nodes"):
        shatter_coordinates(10, 5, 2, 3, colluding=5)
    with pytest.raises(ValueError, match="no graph of degree 3"):
        shatter_coordinates(10, 3, 3, 3)
    with pytest.raises(ValueError, match="variances"):
        gaussian_coordinate_nats(1, 2)
    with pytest.raises(ValueError, match="eigenvalues"):
        shatter_leakage_nats(3, 1.0, 0.5, 0.5, 1.5)
