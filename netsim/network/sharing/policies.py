"""The ways to share links, by name."""

import logging
from collections.abc import Callable

from netsim.network.sharing.base import Float64, Sharing
from netsim.network.sharing.fifo import Fifo
from netsim.network.sharing.optimal import Optimal
from netsim.network.sharing.python_max_min import PythonMaxMin

log = logging.getLogger(__name__)


def fair_sharing(capacity_bps: Float64) -> Sharing:
    """Max-min fair sharing of links with these capacities, compiled where numba is there."""
    try:
        import numba  # noqa: F401  (late: it takes a second, and only a network needs it)
    except ImportError as error:
        log.warning("max-min sharing runs in plain Python, slowly: %s", error)
        return PythonMaxMin(capacity_bps)
    from netsim.network.sharing.max_min import MaxMin

    return MaxMin(capacity_bps)


def fifo_sharing(capacity_bps: Float64) -> Sharing:
    """One transfer at a time per uplink; those of different uplinks share max-min."""
    return Fifo(fair_sharing(capacity_bps))


POLICIES: dict[str, Callable[[Float64], Sharing]] = {
    "max_min": fair_sharing,
    "fifo": fifo_sharing,
    "optimal": Optimal,
}
"""Makers of a ``Sharing`` from the capacities of the links, bit/s."""
