"""What an honest-but-curious observer can learn from what it receives, in closed form.

Information is in nats, per client; coordinates are counted per round.  ERIS: n parameters, T
rounds, A shards, of which a coalition owns A_c, and each coordinate kept with probability p.
Shatter: n nodes with k virtual nodes each on a random r-regular graph over all N = n·k of
them, and d parameters in k chunks; the observer is another node than the one observed.

An observer that is a client knows the models of all rounds besides: these bounds speak of what
the updates add.
"""

from math import comb, exp, inf, log


def gaussian_coordinate_nats(variance: float, conditional_variance: float) -> float:
    """C_max of ERIS, Remark 3.8: ½ ln(σ²/σ_cond²), what a coordinate tells of a client's data.

    Assumes the coordinate Gaussian with variance σ² given what is public and σ_cond² given
    the data too.  Raises ``ValueError`` unless σ² ≥ σ_cond² > 0.

    >>> round(gaussian_coordinate_nats(4.0, 1.0), 4)
    0.6931
    """
    if not variance >= conditional_variance > 0:
        raise ValueError(f"variances {variance} and {conditional_variance}, given the data")
    return log(variance / conditional_variance) / 2


def gaussian_pair_nats(variance: float, conditional_variance: float, correlation: float) -> float:
    """What two such coordinates tell together where their noise is correlated by ρ.

    ½ ln((σ⁴ − ρ² σ_cond⁴)/(σ_cond⁴ (1 − ρ²))): the data move each coordinate by itself, and the
    noise given the data has covariance ρ σ_cond².  With ρ = 0 that is twice C_max; it grows
    without bound as |ρ| nears 1 while each coordinate alone tells as much as before, so no
    multiple of C_max bounds it.  Raises ``ValueError`` unless σ² ≥ σ_cond² > 0 and |ρ| < 1.

    >>> round(gaussian_pair_nats(4.0, 1.0, 0.0), 4), round(gaussian_pair_nats(4.0, 1.0, 0.99), 4)
    (1.3863, 3.3132)
    """
    if not variance >= conditional_variance > 0 or not -1 < correlation < 1:
        given = f"variances {variance} and {conditional_variance}, given the data"
        raise ValueError(f"{given}, correlation {correlation}")
    ratio, shared = (variance / conditional_variance) ** 2, correlation**2
    return log((ratio - shared) / (1 - shared)) / 2


def eris_coordinates(parameters: float, keep: float, aggregators: int, colluding: int = 1) -> float:
    """Coordinates of a client's update that ``colluding`` aggregators get a round, in the mean.

    n p A_c/A: exact for shards of equal size, and for shards of any size the mean over which
    aggregators collude.  Raises ``ValueError`` if more collude than there are.

    >>> eris_coordinates(1000, 0.5, 10), eris_coordinates(1000, 0.5, 10, colluding=3)
    (50.0, 150.0)
    """
    if not 0 <= colluding <= aggregators:
        raise ValueError(f"{colluding} of {aggregators} aggregators collude")
    if not 0 <= keep <= 1:
        raise ValueError(f"a coordinate is kept with probability {keep}")
    return parameters * keep * colluding / aggregators


def eris_leakage_nats(
    parameters: float,
    rounds: int,
    keep: float,
    aggregators: int,
    coordinate_nats: float,
    colluding: int = 1,
) -> float:
    """ERIS, Theorem 3.7: n T (p/A) C_max; with A_c aggregators, Corollary D.2: A_c times that.

    Assumes masks independent of the data, and ``coordinate_nats`` C_max at least what any one
    coordinate tells given the history.  The proof adds up over coordinates, which needs them
    independent of each other given data and history: without that it is no bound (a bit and
    its exclusive or with a fair coin tell nothing one by one, all together).

    62,006 parameters, 200 rounds, 5 % kept, 50 aggregators, half a nat a coordinate:

    >>> round(eris_leakage_nats(62_006, 200, 0.05, 50, 0.5), 1)
    6200.6
    """
    return rounds * eris_coordinates(parameters, keep, aggregators, colluding) * coordinate_nats


def shatter_coordinates(
    parameters: float, nodes: int, virtual_nodes: int, degree: int, colluding: int = 1
) -> float:
    """Parameters of one node's model that ``colluding`` others get a round, in the mean.

    Shatter, Theorem 3, exactly: a chunk stays unseen if its virtual node has no neighbour
    among the c·k of the observers, d(1 − C(N−1−ck, r)/C(N−1, r)).  For chunks of any size.
    Raises ``ValueError`` where no such graph or coalition exists.

    >>> round(shatter_coordinates(1000, 10, 4, 4), 2), round(shatter_coordinates(1000, 10, 1, 4), 2)
    (363.41, 444.44)
    """
    return parameters * _seen(nodes, virtual_nodes, degree, colluding)


def shatter_coordinates_printed(
    parameters: float, nodes: int, virtual_nodes: int, degree: int
) -> float:
    """Theorem 3 as printed (Eq. 10): d(1 − (1 − r/(N−1))^k), as if the k edges were independent.

    Too small, by 3 % in the example: that none of k given virtual nodes is a neighbour is less
    likely than that.

    >>> round(shatter_coordinates_printed(1000, 10, 4, 4), 2)
    351.35
    """
    return parameters * _seen_printed(nodes, virtual_nodes, degree)


def shatter_whole_model_printed(nodes: int, virtual_nodes: int, degree: int) -> float:
    """Probability that one node gets the whole model of another in a round, Theorem 2.

    (1 − (1 − r/(N−1))^k)^k, an approximation: it takes the k chunks, and the k edges of each,
    for independent.  Exact for k = 1.  ``shatter_whole_model_range`` has what is certain.  The
    first three are over all graphs, the others over 3,000 to 20,000 drawn ones, with standard
    errors of 1.3 % in the last row and below 1 % elsewhere:

    ==========  =======  =======  =====
    n, k, r     printed  true     error
    ==========  =======  =======  =====
    2, 2, 2     0.790    1        −21 %
    3, 2, 2     0.410    0.486    −16 %
    4, 2, 3     0.454    0.495     −8 %
    5, 4, 8     0.621    0.696    −11 %
    10, 3, 10   0.371    0.389     −5 %
    10, 2, 4    0.142    0.138     +3 %
    10, 4, 4    0.0152   0.0140    +9 %
    20, 2, 4    0.0379   0.0349    +8 %
    20, 4, 4    0.00124  0.00097  +28 %
    ==========  =======  =======  =====

    >>> round(shatter_whole_model_printed(10, 2, 4), 4)
    0.1419
    """
    return _seen_printed(nodes, virtual_nodes, degree) ** virtual_nodes


def shatter_whole_model_range(
    nodes: int, virtual_nodes: int, degree: int, colluding: int = 1
) -> tuple[float, float]:
    """Bounds of the probability that ``colluding`` nodes get the whole model of another.

    A chunk is seen with the exact probability π of Theorem 3; all k are with at most π and,
    however they depend on each other, at least 1 − k(1 − π).

    >>> low, high = shatter_whole_model_range(10, 2, 16)
    >>> round(low, 4), round(high, 4)
    (0.9649, 0.9825)
    """
    seen = _seen(nodes, virtual_nodes, degree, colluding)
    return max(0.0, 1 - virtual_nodes * (1 - seen)), seen


def shatter_leakage_nats(
    received: int, largest_entry: float, lowest: float, highest: float, trace: float
) -> float:
    """What d(t) ``received`` parameters tell of those not received: Shatter, Theorem 4, corrected.

    ½ ln(Γ B̂^d d^(d/2)), as the proof's Equations 11 to 13 give it; the theorem prints the
    expression inside without ½ ln.  Assumes a model Gaussian with covariances of magnitude at
    most B = ``largest_entry``, and a Schur complement (the covariance of the received given
    the others) with eigenvalues from α = ``lowest`` to β = ``highest`` and this ``trace``.
    Raises ``ValueError`` unless 0 < α < β.

    >>> round(shatter_leakage_nats(2, 1.0, 0.5, 1.0, 1.5), 4)
    0.6931
    """
    if not 0 < lowest < highest:
        raise ValueError(f"eigenvalues from {lowest} to {highest}")
    if received == 0:
        return 0.0
    low, high, spread = log(lowest), log(highest), highest - lowest
    gamma = trace * (low - high) / spread
    scale = log(largest_entry) + (lowest * high - highest * low) / spread
    return (gamma + received * scale + received / 2 * log(received)) / 2


def shatter_leakage_printed(
    received: int, largest_entry: float, lowest: float, highest: float, trace: float
) -> float:
    """Theorem 4 as printed: Γ B̂^d d^(d/2).  A bound, because ½ ln z < z, and a useless one.

    ``inf`` where it exceeds all floats, which a few hundred parameters suffice for.

    >>> round(shatter_leakage_printed(2, 1.0, 0.5, 1.0, 1.5), 4)
    4.0
    """
    nats = shatter_leakage_nats(received, largest_entry, lowest, highest, trace)
    return exp(2 * nats) if nats < 350 else inf


def _seen(nodes: int, virtual_nodes: int, degree: int, colluding: int) -> float:
    """Probability that a chunk has a neighbour among the coalition's virtual nodes."""
    total = _virtual(nodes, virtual_nodes, degree)
    if not 0 <= colluding < nodes:
        raise ValueError(f"{colluding} of {nodes - 1} other nodes collude")
    others = total - 1
    return 1 - comb(others - colluding * virtual_nodes, degree) / comb(others, degree)


def _seen_printed(nodes: int, virtual_nodes: int, degree: int) -> float:
    total = _virtual(nodes, virtual_nodes, degree)
    return float(1 - (1 - degree / (total - 1)) ** virtual_nodes)


def _virtual(nodes: int, virtual_nodes: int, degree: int) -> int:
    total = nodes * virtual_nodes
    if nodes < 2 or virtual_nodes < 1 or not 1 <= degree < total or degree * total % 2:
        raise ValueError(
            f"no graph of degree {degree} on the virtual nodes of {nodes} × {virtual_nodes}"
        )
    return total
