"""The table of all messages of a run: one row a message, columns as arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

from netsim.network.topology import Int64

MOVING, DELIVERED, ABORTED, LOCAL = 0, 1, 2, 3

_FEW = 16

_COLUMNS: dict[str, tuple[type, float]] = {
    "sender": (np.int32, 0),
    "receiver": (np.int32, 0),
    "kind": (np.int16, 0),
    "round": (np.int32, 0),
    "payload_bits": (np.int64, 0),
    "wire_bits": (np.int64, 0),
    "carried_bits": (np.int64, 0),
    "sent_bits": (np.int64, 0),
    "start_s": (np.float64, 0),
    "end_s": (np.float64, 0),
    "status": (np.int8, MOVING),
    "sending": (np.int32, -1),
    "index": (np.int32, 0),
    "slot": (np.int64, -1),
    "before": (np.int64, -1),
    "attempt": (np.int16, 0),
    "left": (np.bool_, False),
    "copied": (np.bool_, False),
}


class MessageTable:
    """Columns that grow by doubling.

    ``sending`` and ``index`` point at the operation a row belongs to and its place there;
    ``slot`` at the sharing engine's transfer while bits move; ``before`` at an earlier row of
    the same two nodes that was still on its way when this one was sent; ``attempt`` counts the
    times a message was sent before; ``left`` says that its last bit is on its way, ``copied``
    that all messages of its sending carry the same payload.
    """

    sender: npt.NDArray[np.int32]
    receiver: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int16]
    round: npt.NDArray[np.int32]
    payload_bits: Int64
    wire_bits: Int64
    carried_bits: Int64
    sent_bits: Int64
    start_s: npt.NDArray[np.float64]
    end_s: npt.NDArray[np.float64]
    status: npt.NDArray[np.int8]
    sending: npt.NDArray[np.int32]
    index: npt.NDArray[np.int32]
    slot: Int64
    before: Int64
    attempt: npt.NDArray[np.int16]
    left: npt.NDArray[np.bool_]
    copied: npt.NDArray[np.bool_]

    def __init__(self) -> None:
        self.rows = 0
        self._size = 0
        self._kinds: dict[str, int] = {}
        self._reserve(256)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds, by code."""
        return tuple(self._kinds)

    def kind_code(self, kind: str) -> int:
        """The code of a kind, a new one for a new kind."""
        return self._kinds.setdefault(kind, len(self._kinds))

    def append(self, count: int) -> Int64:
        """``count`` new rows; returns their numbers."""
        first, self.rows = self.rows, self.rows + count
        if self.rows > self._size:
            self._reserve(max(2 * self._size, self.rows))
        return np.arange(first, self.rows, dtype=np.int64)

    def moving(self) -> Int64:
        """The rows that are on their way."""
        return np.flatnonzero(self.status[: self.rows] == MOVING)

    @staticmethod
    def numbers(column: npt.NDArray[Any], rows: list[int]) -> list[int]:
        """The values of a column in ``rows``; a few are looked up one by one, which is faster."""
        if len(rows) == 1:
            return [column.item(rows[0])]
        if len(rows) <= _FEW:
            return [column.item(row) for row in rows]
        values: list[int] = column[rows].tolist()
        return values

    def column(self, name: str) -> npt.NDArray[Any]:
        """A copy of one column."""
        values: npt.NDArray[Any] = getattr(self, name)[: self.rows].copy()
        return values

    def _reserve(self, size: int) -> None:
        for name, (dtype, default) in _COLUMNS.items():
            column: npt.NDArray[Any] = np.full(size, default, dtype)
            if self._size:
                column[: self._size] = getattr(self, name)
            setattr(self, name, column)
        self._size = size
