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
    counts = np.array([post.messages for post in posts])
    rows = table.append(int(counts.sum()))
    new = slice(table.rows - len(rows), table.rows)
    same = [(post.sender, post.kind, post.round, post.number, post.copied) for post in posts]
    columns = np.repeat(np.array(same, np.int64), counts, axis=0).T
    table.sender[new], table.kind[new], table.round[new] = columns[:3]
    table.sending[new], table.copied[new] = columns[3:]
    table.receiver[new] = np.concatenate([post.receivers for post in posts])
    table.index[new] = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    table.payload_bits[new] = _spread([post.payload_bits for post in posts], counts)
    table.wire_bits[new] = _spread([post.wire_bits for post in posts], counts)
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


def _spread(sizes: Sequence[int | Int64], counts: Int64) -> Int64:
    """One size a row from one size, or one for each row, a post."""
    if all(isinstance(size, int) for size in sizes):
        return np.repeat(np.array(sizes, dtype=np.int64), counts)
    rows = zip(sizes, counts.tolist(), strict=True)
    return np.concatenate(
        [np.full(count, size) if isinstance(size, int) else size for size, count in rows]
    )
