"""Shatter's Lemma 5 and Theorems 2 and 3 against random regular graphs.

Seeds are fixed.  Bounds are five standard errors: a right formula fails with probability below
1e-6 a case.
"""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import neighbours, random_regular
from netsim.theory.shatter import contraction, shared_parameters, whole_model_chance

SETTINGS = [(10, 4, 4), (10, 1, 9), (8, 2, 3), (6, 4, 5), (12, 3, 2)]
GRAPHS = 400


def links(n, k, r):
    """Int[graph, i, j, s]: how many virtual nodes of i are neighbours of the s-th of j."""
    counts = np.zeros((GRAPHS, n, n, k))
    for draw in range(GRAPHS):
        for v, others in enumerate(neighbours(random_regular(r, n * k, Streams(3), draw))):
            np.add.at(counts[draw, v // k], (others // k, others % k), 1)
    return counts


@pytest.mark.parametrize(("n", "k", "r"), SETTINGS)
def test_contraction_of_a_step_under_the_rule_of_one_rth(n, k, r):
    """A step multiplies parameters of chunk s by W_s = links/r; its mean contraction of what is
    orthogonal to the mean is (‖W‖² − ‖W1‖²/n)/(n − 1)."""
    w = links(n, k, r).transpose(0, 3, 1, 2) / r
    assert w.sum(2) == pytest.approx(1), "the mean stays"
    each = (np.square(w).sum((2, 3)) - np.square(w.sum(3)).sum(2) / n) / (n - 1)
    measured = each.mean(1)
    error = measured.std(ddof=1) / np.sqrt(GRAPHS)
    assert abs(measured.mean() - contraction(n, k, r)) < 5 * error + 1e-12


@pytest.mark.parametrize(("n", "k", "r"), SETTINGS)
def test_what_a_node_gets_of_another(n, k, r):
    """Theorem 3's count is exact; Theorem 2's chance is off by less than a tenth of itself
    here or lies within the error of the measurement."""
    held = links(n, k, r)[:, ~np.eye(n, dtype=bool)] > 0
    shares = held.mean((1, 2))
    error = shares.std(ddof=1) / np.sqrt(GRAPHS)
    assert abs(shares.mean() - shared_parameters(1, n, k, r)) < 5 * error + 1e-12
    whole = held.all(2).mean(1)
    error = whole.std(ddof=1) / np.sqrt(GRAPHS)
    assert abs(whole.mean() - whole_model_chance(n, k, r)) < 5 * error + 0.1 * whole.mean()


def test_too_few_virtual_nodes_are_refused():
    """The correction divides by N − 3."""
    with pytest.raises(ValueError, match="at least 4"):
        contraction(3, 1, 2)
