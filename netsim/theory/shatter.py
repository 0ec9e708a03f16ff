"""What Shatter's analysis says of one round.

n nodes, each with k virtual nodes on a random r-regular graph of all N = nk.
"""

from math import comb


def contraction(nodes: int, virtual_nodes: int, degree: int) -> float:
    """ρ of Lemma 5 (Shatter, Eq. 3), corrected: E Σ‖C(θ)_i − θ̄‖² = ρ Σ‖θ_i − θ̄‖².

    For the step of Section 5.1, which sums what arrives and divides by r.  Eq. 3 as printed
    gives 0.258 for (10, 4, 4), where 0.212 was measured, and a negative value for (10, 1, 9).
    Needs at least four virtual nodes.

    >>> round(contraction(10, 4, 4), 3)
    0.214
    >>> round(contraction(10, 1, 9), 3)
    0.012
    """
    n, k, r = nodes, virtual_nodes, degree
    total = n * k
    if total < 4:
        raise ValueError(f"{total} virtual nodes; the closed form needs at least 4")
    p1 = r / (total - 1)
    p2 = p1 * (r - 1) / (total - 2)
    p3 = p1 * (r - 2 * (r - 1) / (total - 2)) / (total - 3)
    others = (n - 1) * (k * p1 + k * (k - 1) * p2)
    own = (k - 1) * p1 + (k - 1) * (k - 2) * p2
    between = (n - 2) * (k * p2 + k * (k - 1) * p3)
    across = 2 * (k - 1) * (2 * p2 + (k - 2) * p3)
    return (others + own - between - across) / r**2


def shared_parameters(size: int, nodes: int, virtual_nodes: int, degree: int) -> float:
    """How many of d = ``size`` parameters of a node another gets in a round (Theorem 3), exact.

    A chunk reaches the other unless its virtual node has none of the other's k among its r
    neighbours.  The paper's d(1 − (1 − r/(N−1))^k) takes these as independent.

    >>> round(shared_parameters(1000, 10, 4, 4), 1)
    363.4
    """
    others = nodes * virtual_nodes - 1
    return size * (1 - comb(others - virtual_nodes, degree) / comb(others, degree))


def whole_model_chance(nodes: int, virtual_nodes: int, degree: int) -> float:
    """The chance that a node gets all of another's model in a round (Theorem 2), approximate.

    (1 − (1 − r/(N−1))^k)^k: edges of the graph taken as independent.

    >>> round(whole_model_chance(10, 4, 4), 4)
    0.0152
    """
    apart = (1 - degree / (nodes * virtual_nodes - 1)) ** virtual_nodes
    return float((1 - apart) ** virtual_nodes)
