"""Digests that tell whether two runs sent the same messages and ended with the same model."""

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from netsim.results.records import Transfers

Ints = npt.NDArray[np.int64]


_SIZES = ("payload_bits", "wire_bits")
_ON_THE_WAY = ("carried_bits", "sent_bits", "status")


def log_digest(transfers: Transfers) -> str:
    """Hash chain over rounds, h_t = sha256(h_{t-1}, records of round t); hexadecimal.

    The records of a round are sorted by kind, sender, receiver and sequence, and hold sizes
    and status but no times, so neither the order of rows nor the speed of links enters.
    """
    return _chain(_sorted_records(transfers, (*_SIZES, *_ON_THE_WAY)))


def sent_digest(transfers: Transfers) -> str:
    """As ``log_digest``, of what was handed to the network alone, whatever became of it."""
    return _chain(_sorted_records(transfers, _SIZES))


def _chain(records: Ints) -> str:
    firsts = np.unique(records[:, 0], return_index=True)[1]
    head = b""
    for of_round in np.split(records, firsts[1:]):
        head = hashlib.sha256(head + of_round.tobytes()).digest()
    return head.hex()


def model_digest(parameters: Iterable[npt.NDArray[np.float32]]) -> str:
    """sha256 of the bytes of float32 arrays one after the other, whatever their shapes."""
    digest = hashlib.sha256()
    for array in parameters:
        assert array.dtype == np.float32, f"parameters of type {array.dtype}"
        digest.update(np.ascontiguousarray(array, "<f4").tobytes())
    return digest.hexdigest()


def run_digest(transfers: Transfers, model: str | None) -> str:
    """One digest of the message log and, where there is a model, of its ``model_digest``."""
    log = log_digest(transfers)
    return log if model is None else hashlib.sha256(f"{log}{model}".encode()).hexdigest()


def _sorted_records(transfers: Transfers, content: tuple[str, ...]) -> Ints:
    """Rows [T, 5 + len(content)] of little-endian integers, sorted by round, then by the key of
    a record; ``content`` are the columns that follow it."""
    t = transfers
    names = np.array([_name_code(kind.name) for kind in t.kinds], np.int64)
    key = (t.round, names[t.kind], t.sender, t.receiver, t.sequence)
    columns = (*key, *(getattr(t, name) for name in content))
    order = np.lexsort(columns[::-1])
    return np.stack([column[order] for column in columns], axis=1).astype("<i8")


def _name_code(name: str) -> int:
    """A number for a kind that depends on its name alone, not on its place in a table."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little", signed=True)
