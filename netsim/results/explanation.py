"""Why a round took its time, as data: its critical path, its bottleneck, the use of links."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]

TRANSFER: Literal["transfer"] = "transfer"
COMPUTATION: Literal["computation"] = "computation"
WAITING: Literal["waiting"] = "waiting"


@dataclass(frozen=True)
class Piece:
    """A part of a critical path, from ``start_s`` to ``end_s``.

    A transfer has all other fields: ``bits`` are those that left its sender, ``latency_s`` is
    the part of its time after its last bit had left, ``link`` the busiest link of its route
    over the piece's time and ``utilisation`` the share of that time it was busy.  A computation
    has its node as ``sender``; waiting (for a timer, a deadline, a repair) has nothing else, unless
    it is to send a message again: then which.
    """

    what: Literal["transfer", "computation", "waiting"]
    start_s: float
    end_s: float
    sender: str | None = None
    receiver: str | None = None
    kind: str | None = None
    status: str | None = None
    bits: int | None = None
    latency_s: float = 0.0
    link: str | None = None
    utilisation: float | None = None

    @property
    def length_s(self) -> float:
        """How long it takes."""
        return self.end_s - self.start_s


@dataclass(frozen=True)
class Bottleneck:
    """The link of a critical path that was busy longest while the path went through it.

    ``time_s`` is the length of the pieces that go through ``link``; ``utilisation`` the share
    of it in which the link was busy.
    """

    link: str
    utilisation: float
    time_s: float


@dataclass(frozen=True)
class Explanation:
    """A round's critical path, in order of time without gaps, and its bottleneck.

    Each piece starts exactly where the last one ends; together they cover the round.
    ``bottleneck`` is None where nothing was sent on the path.
    """

    path: tuple[Piece, ...]
    bottleneck: Bottleneck | None

    @property
    def sending_s(self) -> float:
        """Time of the path in which bits were leaving or waited for their turn."""
        return self._time(TRANSFER) - self.latency_s

    @property
    def latency_s(self) -> float:
        """Time of the path in which all bits had left and were on their way."""
        return sum(piece.latency_s for piece in self.path)

    @property
    def computing_s(self) -> float:
        """Time of the path in computations."""
        return self._time(COMPUTATION)

    @property
    def waiting_s(self) -> float:
        """Time of the path in which nothing that was recorded held it up."""
        return self._time(WAITING)

    def _time(self, what: str) -> float:
        return sum(piece.length_s for piece in self.path if piece.what == what)


def path_to_json(path: Sequence[Piece]) -> str:
    """A list of objects; fields that a piece does not have are left out."""
    objects = [{k: v for k, v in vars(piece).items() if v is not None} for piece in path]
    return json.dumps(objects, ensure_ascii=False, allow_nan=False)


def path_from_json(text: str) -> tuple[Piece, ...]:
    """The pieces that ``path_to_json`` wrote."""
    return tuple(Piece(**fields) for fields in json.loads(text))


@dataclass(frozen=True, eq=False)
class LinkUse:
    """What each link carried for each round: a row a link and round that has any bits.

    ``link`` indexes ``names``; ``bits`` counts those of aborted transfers too; ``rate_bps`` is
    the link's rate (the mean, where a trace changes it) and ``length_s`` the round's length, from
    its start or first send to its end or last arrival.  Every array has shape [rows].
    """

    names: tuple[str, ...]
    round: Int64
    link: Int64
    bits: Int64
    rate_bps: Float64
    length_s: Float64

    @classmethod
    def none(cls) -> Self:
        """No links at all."""
        whole, real = np.zeros(0, np.int64), np.zeros(0)
        return cls((), whole, whole, whole, real, real)

    def of_round(self, round: int) -> Self:
        """The rows of one round."""
        rows = np.flatnonzero(self.round == round)
        return type(self)(
            self.names,
            self.round[rows],
            self.link[rows],
            self.bits[rows],
            self.rate_bps[rows],
            self.length_s[rows],
        )
