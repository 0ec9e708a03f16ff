"""The phase bound: the least time for transfers that are all ready at once.

Assumptions: fluid transfers over fixed routes and constant link rates, all ready at the start
of the phase, no latency.  Then no schedule beats the most loaded link, and rates proportional
to size keep every link within its rate and end all transfers exactly then.  A round whose
phases are separated by barriers therefore has the sum over its phases as its exact optimum.

Max-min fair rates attain the bound too where all transfers have one size: the most loaded link
has the least fair share, is filled first and stays full until all its transfers end at once.
With several sizes they may take longer, which is the price of fairness.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from netsim.theory.seconds import Float64, longest_s

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """Transfers that start together.

    Transfer i has ``size_bits[i]`` bits and goes through the links
    ``route_links[route_ptr[i] : route_ptr[i + 1]]``.
    """

    route_ptr: Int64
    route_links: Int64
    size_bits: Int64

    def __post_init__(self) -> None:
        assert len(self.route_ptr) == len(self.size_bits) + 1
        assert self.route_ptr[-1] == len(self.route_links)

    @classmethod
    def between(cls, senders: Int64, receivers: Int64, size_bits: Int64) -> "Phase":
        """Transfers over access links only: node i has uplink 2i and downlink 2i + 1.

        A transfer from a node to itself is local and uses no link.

        >>> Phase.between(np.array([0, 1]), np.array([2, 1]), np.array([8, 8])).route_links
        array([0, 5])
        """
        away = senders != receivers
        links = np.column_stack([2 * senders[away], 2 * receivers[away] + 1])
        route_ptr = np.concatenate([[0], 2 * np.cumsum(away, dtype=np.int64)])
        return cls(route_ptr, links.ravel(), size_bits)

    def loads_bits(self, links: int) -> Float64:
        """Bits that each of the first ``links`` links carries; exact below 2⁵³.

        Raises ``ValueError`` if a route uses another link.

        >>> Phase.between(np.array([0, 1]), np.array([2, 2]), np.array([8, 4])).loads_bits(6)
        array([ 8.,  0.,  4.,  0.,  0., 12.])
        """
        each = np.repeat(self.size_bits, np.diff(self.route_ptr))
        loads = np.bincount(self.route_links, each, links).astype(np.float64)
        if len(loads) > links:
            raise ValueError(f"a route uses link {len(loads) - 1}; there are {links} links")
        return loads


def phase_bound_s(phase: Phase, capacity_bps: npt.ArrayLike) -> float:
    """Max over links of the bits through the link divided by its rate.

    0 for a phase without transfers; ``inf`` if a link that is needed has rate 0.  Raises
    ``ValueError`` if a route uses a link without a rate, or a rate is negative or NaN.

    Two nodes send 8 Mbit each to a third, whose downlink takes 10 Mbit/s:

    >>> phase = Phase.between(np.array([0, 1]), np.array([2, 2]), np.array([8, 8]) * 10**6)
    >>> phase_bound_s(phase, np.full(6, 10e6))
    1.6
    """
    rates = np.asarray(capacity_bps, np.float64)
    return longest_s(phase.loads_bits(len(rates)), rates)


def round_optimum_s(phases: Iterable[Phase], capacity_bps: npt.ArrayLike) -> float:
    """The optimum of a round with a barrier after each phase: the sum of the phase bounds.

    A node that collects 8 Mbit from each of two others and sends 8 Mbit back to each:

    >>> there = Phase.between(np.array([0, 1]), np.array([2, 2]), np.array([8, 8]) * 10**6)
    >>> back = Phase.between(np.array([2, 2]), np.array([0, 1]), np.array([8, 8]) * 10**6)
    >>> round_optimum_s([there, back], np.full(6, 10e6))
    3.2
    """
    return sum(phase_bound_s(phase, capacity_bps) for phase in phases)
