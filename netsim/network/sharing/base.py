"""What every way of sharing links offers to a running simulation."""

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]

TIE = 1e-12
"""Completions closer than this part of the time now are one event."""

ROUNDING = 1e-14
"""A count of bits may be off by this part of the size of its transfer."""


class Sharing(ABC):
    """Rates of concurrent transfers over links that they share, as fluids.

    A transfer moves a whole number of bits over a route of links and is known by its *slot*,
    a small number that is free again once the transfer ended.  Links are numbered from 0.
    Times are seconds and never decrease from call to call; a caller must not pass
    ``next_completion()`` without asking ``complete``.  Any number of changes may be made at
    one instant: rates are worked out when ``next_completion`` or ``rate`` asks for them.
    """

    @abstractmethod
    def start(
        self,
        now: float,
        bits: Int64,
        route_ptr: Int64,
        route_links: Int64,
        weights: Float64 | None = None,
    ) -> Int64:
        """Start m transfers; returns their slots.

        ``bits`` [m] are positive; transfer i crosses
        ``route_links[route_ptr[i]:route_ptr[i + 1]]`` (``route_ptr`` [m + 1]): at least one
        link, none twice.  ``weights`` [m], positive, all 1 if not given, say how much of a full
        link a transfer gets beside others; only max-min sharing takes them.
        """

    @abstractmethod
    def set_capacity(self, now: float, links: Int64, capacity_bps: Float64) -> None:
        """Give ``links`` [q] new capacities (finite, >= 0; 0 stalls what crosses the link)."""

    @abstractmethod
    def abort(self, now: float, slots: Int64) -> Int64:
        """End transfers early and free their slots; returns the whole bits each has sent."""

    @abstractmethod
    def add_links(self, capacity_bps: Float64) -> int:
        """Add q links; returns the number of the first."""

    @abstractmethod
    def next_completion(self) -> float:
        """The time at which the next transfer ends if nothing changes, inf if none does."""

    @abstractmethod
    def complete(self, now: float) -> Int64:
        """The slots whose last bit left at or before ``now``, ascending; they are free again."""

    @abstractmethod
    def sent(self, now: float, slots: Int64) -> Int64:
        """The whole bits that each of ``slots`` has sent so far."""

    @abstractmethod
    def rate(self, slots: Int64) -> Float64:
        """The rate of each of ``slots``, bit/s, from now on."""
