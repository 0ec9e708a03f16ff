"""The round that took longest, and the links that were busiest in a round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from netsim.results.explanation import LinkUse

_EQUAL = 1e-9
"""Relative difference up to which two times count as equal."""


def slowest(lengths_s: Sequence[float]) -> int | None:
    """The place of the longest time, of equal ones the first; None if there are none."""
    most_s = max(lengths_s, default=0.0)
    return next((at for at, s in enumerate(lengths_s) if s >= most_s * (1 - _EQUAL)), None)


@dataclass(frozen=True)
class BusyLink:
    """What a link carried in a round, and the share of (its rate × the round's length) it is."""

    link: str
    bits: int
    utilisation: float


def busiest_links(use: LinkUse, round: int, most: int) -> list[BusyLink]:
    """The ``most`` busiest links of a round, busiest first.

    Links without a rate are left out.
    """
    rows = np.flatnonzero((use.round == round) & (use.rate_bps > 0))
    share = use.bits[rows] / (use.rate_bps[rows] * use.length_s[rows])
    # Rounded, so that equal links stay in their order whatever the last digit says.
    order = np.argsort(-np.round(share, 9), kind="stable")[:most].tolist()
    return [
        BusyLink(use.names[use.link[rows[at]]], int(use.bits[rows[at]]), float(share[at]))
        for at in order
    ]
