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
    number, sender, receivers, messages, payload_bits, wire_bits, kind, round, copied = zip(
        *posts, strict=True
    )
    counts = np.array(messages)
    rows = table.append(sum(messages))
    new = slice(table.rows - len(rows), table.rows)
    same = np.array([number, sender, kind, round, copied]).repeat(counts, axis=1)
    table.sending[new], table.sender[new], table.kind[new], table.round[new] = same[:4]
    table.copied[new] = same[4]
    table.receiver[new] = np.concatenate(receivers)
    table.index[new] = np.arange(len(rows)) - (counts.cumsum() - counts).repeat(counts)
    table.payload_bits[new] = _spread(payload_bits, counts)
    table.wire_bits[new] = _spread(wire_bits, counts)
    carried = table.wire_bits if count == "wire" else table.payload_bits
    table.carried_bits[new] = carried[new]
    table.start_s[new] = now
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


def _spread(values: Sequence[int | Int64], counts: Int64) -> int | Int64:
    """One value a row, or the same for all, from one value, or one for each row, a post."""
    if len(values) == 1:
        return values[0]
    if all(isinstance(value, int) for value in values):
        return np.array(values, dtype=np.int64).repeat(counts)
    rows = zip(values, counts.tolist(), strict=True)
    return np.concatenate(
        [np.full(count, value) if isinstance(value, int) else value for value, count in rows]
    )
