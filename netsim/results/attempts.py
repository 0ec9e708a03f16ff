"""Messages that failed and were sent again."""

from bisect import bisect_left
from collections import defaultdict

import numpy as np

from netsim.results.records import ABORTED, Transfers


class Attempts:
    """The attempts that failed, by message: round, kind, sender and receiver."""

    def __init__(self, transfers: Transfers) -> None:
        self._transfers = transfers
        failed = np.flatnonzero(transfers.status == ABORTED)
        order = np.lexsort((failed, transfers.end_s[failed]))
        self._failed: dict[tuple[int, ...], list[tuple[float, int]]] = defaultdict(list)
        for row in failed[order].tolist():
            self._failed[self._message(row)].append((float(transfers.end_s[row]), row))

    def before(self, row: int) -> int | None:
        """The last attempt at the message of ``row`` that failed before it started, if any."""
        if not 0 <= row < len(self._transfers):
            return None
        failed = self._failed.get(self._message(row), [])
        at = bisect_left(failed, (float(self._transfers.start_s[row]), row))
        return failed[at - 1][1] if at > 0 else None

    def _message(self, row: int) -> tuple[int, ...]:
        t = self._transfers
        return tuple(int(each[row]) for each in (t.round, t.kind, t.sender, t.receiver))
