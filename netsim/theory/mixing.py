"""How fast gossip through virtual nodes brings models together: Shatter, Lemma 5.

n nodes with k virtual nodes each exchange chunks on a random r-regular graph over all N = n·k
virtual nodes; the chunk of a coordinate ℓ sits at one virtual node of each node.  Under the
1/r rule of the paper's analysis (Section 5.1) node i's next value of ℓ is 1/r times the sum of
what its k virtual nodes receive of ℓ, its own value left out.  (The system, Section 4.2,
averages over the copies that arrived instead.)  The rule keeps the sum over the nodes.

Assumption: the graph is drawn so that every relabelling of the virtual nodes is as likely, as
a uniform random r-regular graph is.
"""


def contraction(nodes: int, virtual_nodes: int, degree: int) -> float:
    """ρ: E Σᵢ ‖C(θ)ᵢ − θ̄‖² = ρ · Σᵢ ‖θᵢ − θ̄‖² for one step, whatever θ is.

    Lemma 5 with its proof corrected: own virtual nodes are counted as the k − 1 that they are,
    and two disjoint edges have probability p3 below.  With p1 the probability of an edge and p2
    that of two that meet,

    ρ r² = (n−1)(k p1 + k(k−1) p2) + (k−1) p1 + (k−1)(k−2) p2
           − (n−2)(k p2 + k(k−1) p3) − 2(k−1)(2 p2 + (k−2) p3).

    An equality, where the paper has a bound.  Raises ``ValueError`` where no such graph exists
    or there is one node.

    >>> round(contraction(10, 4, 4), 4), round(contraction(10, 1, 9), 4)
    (0.2135, 0.0123)
    """
    n, k, r = _checked(nodes, virtual_nodes, degree)
    total = n * k
    p1 = r / (total - 1)
    p2 = p1 * (r - 1) / (total - 2) if total > 2 else 0.0
    p3 = p1 * (r - 2 * (r - 1) / (total - 2)) / (total - 3) if total > 3 else 0.0
    square = (n - 1) * (k * p1 + k * (k - 1) * p2) + (k - 1) * p1 + (k - 1) * (k - 2) * p2
    cross = (n - 2) * (k * p2 + k * (k - 1) * p3) + 2 * (k - 1) * (2 * p2 + (k - 2) * p3)
    return (square - cross) / r**2


def contraction_printed(nodes: int, virtual_nodes: int, degree: int) -> float:
    """ρ of Lemma 5 as printed (Eq. 3), which is neither an equality nor a bound.

    Above the true one in the first example, negative in the second.  Raises ``ValueError`` as
    ``contraction`` does, and for three virtual nodes or fewer, where it divides by zero.

    >>> round(contraction_printed(10, 4, 4), 4), round(contraction_printed(10, 1, 9), 4)
    (0.2581, -0.0176)
    """
    n, k, r = _checked(nodes, virtual_nodes, degree)
    total = n * k
    if total < 4:
        raise ValueError(f"Eq. 3 needs four virtual nodes, not {total}")
    rest = (k - 1) * (r - 1) / ((total - 2) * (total - 3))
    return total / (r * (total - 1)) * (1 + (k - r) / (total - 3) + rest)


def _checked(nodes: int, virtual_nodes: int, degree: int) -> tuple[int, int, int]:
    total = nodes * virtual_nodes
    if nodes < 2 or virtual_nodes < 1:
        raise ValueError(f"{nodes} nodes with {virtual_nodes} virtual nodes have nothing to mix")
    if not 1 <= degree < total or degree * total % 2:
        raise ValueError(f"no graph of degree {degree} on {total} virtual nodes")
    return nodes, virtual_nodes, degree
