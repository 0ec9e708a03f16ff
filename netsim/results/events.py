"""What ended when and where, in order of time: what a critical path is walked back along."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from netsim.results.measure import SAME_INSTANT_S

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]


def tolerance_s(time_s: float) -> float:
    """Times that differ by less than this are one instant."""
    return SAME_INSTANT_S * max(1.0, abs(time_s))


@dataclass(frozen=True, eq=False)
class Events:
    """Ends of transfers or computations; every array has shape [E].

    ``host`` is where the end is noticed, ``origin`` where what ended had been started,
    ``row`` its number; ``end_s`` ascends.
    """

    end_s: Float64
    start_s: Float64
    host: Int64
    origin: Int64
    round: Int64
    row: Int64

    @classmethod
    def sorted(
        cls,
        end_s: Float64,
        start_s: Float64,
        host: Int64,
        origin: Int64,
        round: Int64,
        row: Int64,
    ) -> Self:
        """In order of time, without what takes no time: it holds nothing up."""
        lasting = np.flatnonzero(end_s - start_s > SAME_INSTANT_S * np.maximum(1.0, end_s))
        rows = lasting[np.argsort(end_s[lasting], kind="stable")]
        return cls(end_s[rows], start_s[rows], host[rows], origin[rows], round[rows], row[rows])

    def at(self, time_s: float, host: int | None, round: int) -> int | None:
        """Of the ends at this instant, at ``host`` or anywhere, that of the longest event.

        Events of rounds after ``round`` do not count.
        """
        near_s = tolerance_s(time_s)
        low = int(np.searchsorted(self.end_s, time_s - near_s, "left"))
        high = int(np.searchsorted(self.end_s, time_s + near_s, "right"))
        found = self._among(low, high, host, round)
        return int(found[np.argmin(self.start_s[found])]) if len(found) else None

    def latest(self, time_s: float, host: int | None, round: int, after_s: float) -> float | None:
        """When the last event before this instant ended, if it was after ``after_s``."""
        high = int(np.searchsorted(self.end_s, time_s - tolerance_s(time_s), "left"))
        floor = int(np.searchsorted(self.end_s, after_s + tolerance_s(after_s), "right"))
        width = 64
        while high > floor:
            low = max(floor, high - width)
            found = self._among(low, high, host, round)
            if len(found):
                return float(self.end_s[found[-1]])
            high, width = low, 2 * width
        return None

    def _among(self, low: int, high: int, host: int | None, round: int) -> npt.NDArray[np.intp]:
        fits = self.round[low:high] <= round
        if host is not None:
            fits &= self.host[low:high] == host
        return low + np.flatnonzero(fits)
