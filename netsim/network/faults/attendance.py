"""Who takes part in a round, and which kinds of message are still taken."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Bool = npt.NDArray[np.bool_]

TRAINERS = ("client", "node")
"""Roles that train, and so send what is not an answer to something."""


class Attendance:
    """Which nodes are missing from a round in which role, and which kinds are closed.

    ``roles`` gives for each kind of message what its sender and its receiver are.
    """

    def __init__(self, nodes: int, roles: Mapping[str, tuple[str, str]]) -> None:
        self._nodes = nodes
        self._roles = roles
        self._missing: dict[tuple[int, str], Bool] = {}
        self._closed: set[tuple[int, str]] = set()

    def leave(self, round: int, role: str, node: int) -> None:
        """``node`` does not play ``role`` in the round, or no longer does."""
        key = (round, role)
        if key not in self._missing:
            self._missing[key] = np.zeros(self._nodes, bool)
        self._missing[key][node] = True

    def close(self, round: int, kind: str) -> None:
        """Messages of ``kind`` are no longer taken in the round."""
        self._closed.add((round, kind))

    def closed(self, round: int, kind: str) -> bool:
        """Whether messages of ``kind`` are no longer taken."""
        return (round, kind) in self._closed

    @property
    def trained(self) -> list[str]:
        """Kinds of message that carry what was trained."""
        return [kind for kind, (sender, _) in self._roles.items() if sender in TRAINERS]

    def senders_missing(self, round: int, kind: str) -> Bool | None:
        """Bool[N]: who will send nothing more of ``kind``; None where nobody is missing."""
        return self._missing.get((round, self._roles[kind][0]))

    def receivers_missing(self, round: int, kind: str) -> Bool | None:
        """Bool[N]: who takes nothing more of ``kind``; None where nobody is missing."""
        return self._missing.get((round, self._roles[kind][1]))
