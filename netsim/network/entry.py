"""Messages as they are posted, and their rows in the table."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from netsim.network.table import MessageTable
from netsim.network.topology import Int64


class Post(NamedTuple):
    """The messages of one sending: one size for all of them, or one for each; ``copied`` where
    they all carry one payload."""

    number: int
    sender: int
    receivers: Int64
    messages: int
    payload_bits: int | Int64
    wire_bits: int | Int64
    kind: int
    round: int
    copied: bool


def enter(
    table: MessageTable, posts: list[Post], count: Literal["wire", "payload"], now: float
) -> Int64:
    """Write the messages of ``posts`` into the table; returns their rows.

    ``count`` says which size the links carry.
    """
    columns = zip(*posts, strict=True)
    numbers, senders, receivers, sizes, payload, wire, kinds, rounds, copied = columns
    counts = np.array(sizes)
    rows = table.append(int(counts.sum()))
    table.sender[rows] = np.repeat(senders, counts)
    table.receiver[rows] = np.concatenate(receivers)
    table.kind[rows] = np.repeat(kinds, counts)
    table.round[rows] = np.repeat(rounds, counts)
    table.sending[rows] = np.repeat(numbers, counts)
    table.copied[rows] = np.repeat(copied, counts)
    table.index[rows] = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    table.payload_bits[rows] = _spread(payload, counts)
    table.wire_bits[rows] = _spread(wire, counts)
    carried = table.wire_bits if count == "wire" else table.payload_bits
    table.carried_bits[rows] = carried[rows]
    table.start_s[rows] = now
    return rows


def enter_again(table: MessageTable, old: Int64, now: float) -> Int64:
    """New rows for messages that are sent once more."""
    rows = table.append(len(old))
    for name in ("sender", "receiver", "kind", "round", "sending", "index", "copied"):
        getattr(table, name)[rows] = getattr(table, name)[old]
    for name in ("payload_bits", "wire_bits", "carried_bits"):
        getattr(table, name)[rows] = getattr(table, name)[old]
    table.attempt[rows] = table.attempt[old] + 1
    table.start_s[rows] = now
    return rows


def _spread(sizes: Sequence[int | Int64], counts: Int64) -> Int64:
    """One size a row from one size, or one for each row, a post."""
    if all(isinstance(size, int) for size in sizes):
        return np.repeat(np.array(sizes, dtype=np.int64), counts)
    rows = zip(sizes, counts.tolist(), strict=True)
    return np.concatenate([np.broadcast_to(size, count) for size, count in rows])
