"""The nodes that own shards of the model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Owners:
    """``nodes`` A, by shard, and the role they play; ``up`` and ``down`` are the kinds of the
    messages they get and send.  ``aside``: they are no clients and hold a model of their own.
    """

    nodes: list[int]
    role: str
    up: str
    down: str
    aside: bool
