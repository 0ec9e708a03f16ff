"""Small numbers for things in use: given back, they are handed out again."""

from typing import final

import numpy as np

from netsim.network.sharing.base import Int64


@final
class Slots:
    """Numbers from 0 up, as few as are in use at once."""

    def __init__(self) -> None:
        self._free: list[int] = []
        self.high = 0
        """One more than the highest number ever used."""

    def take(self, count: int) -> Int64:
        """``count`` numbers that nothing uses."""
        kept = max(len(self._free) - count, 0)
        slots = self._free[kept:]
        del self._free[kept:]
        fresh = count - len(slots)
        slots.extend(range(self.high, self.high + fresh))
        self.high += fresh
        return np.array(slots, np.int64)

    def give(self, slots: Int64) -> None:
        """These numbers are free again."""
        self._free.extend(slots.tolist())
