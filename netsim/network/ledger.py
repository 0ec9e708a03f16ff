"""Sizes of messages that depended on values, so that they are known where the values are not."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from netsim.network.topology import Int64

UNKNOWN = -1
"""The bits of a payload whose size only a record tells."""


class Diverged(RuntimeError):
    """A run that plays from a record asked for something outside of it."""


@dataclass(frozen=True, eq=False)
class Entry:
    """The sizes of one sending of ``kind`` by ``sender`` in a round, the ``place``-th like it;
    all arrays have a row a receiver."""

    kind: str
    round: int
    sender: int
    place: int
    receiver_M: Int64
    payload_bits_M: Int64
    wire_bits_M: Int64


@final
class Ledger:
    """Keeps the sizes that depend on values, and gives those it ``knows`` without the values.

    A payload of such a size says so by ``measured``.
    """

    def __init__(self, known: Iterable[Entry] = ()) -> None:
        self._entries = {_key(entry): entry for entry in known}
        self._sent: Counter[tuple[str, int, int]] = Counter()

    @property
    def entries(self) -> list[Entry]:
        """All sizes so far, in the order in which they became known."""
        return list(self._entries.values())

    def sizes(
        self, payloads: Any, sender: int, receiver_M: Int64, kind: str, round: int
    ) -> tuple[Int64, Int64] | None:
        """Payload and wire bits for each receiver; None where no size depends on values.

        Raises `Diverged` if they are not known, or not what the record says.
        """
        each = payloads if isinstance(payloads, list) else [payloads]
        if not any(getattr(payload, "measured", False) for payload in each):
            return None
        which = kind, round, sender
        place = self._sent[which]
        self._sent[which] += 1
        entry = self._entries.get((*which, place))
        given = [np.array([getattr(p, name) for p in each]) for name in _SIZES]
        if entry is None:
            if (given[0] == UNKNOWN).any():
                raise Diverged(f"the size of '{kind}' in round {round} is not on record")
            sizes = [np.broadcast_to(bits, len(receiver_M)).astype(np.int64) for bits in given]
            entry = self._entries[(*which, place)] = Entry(*which, place, receiver_M, *sizes)
        elif not _fits(entry, receiver_M, *given):
            raise Diverged(f"'{kind}' in round {round} is not what is on record")
        return entry.payload_bits_M, entry.wire_bits_M


_SIZES = ("payload_bits", "wire_bits")


def _key(entry: Entry) -> tuple[str, int, int, int]:
    return entry.kind, entry.round, entry.sender, entry.place


def _fits(entry: Entry, receiver_M: Int64, payload_bits: Int64, wire_bits: Int64) -> bool:
    if not np.array_equal(entry.receiver_M, receiver_M):
        return False
    pairs = ((entry.payload_bits_M, payload_bits), (entry.wire_bits_M, wire_bits))
    return all(bool(((new == UNKNOWN) | (new == old)).all()) for old, new in pairs)
