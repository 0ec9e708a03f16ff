"""Runs that no other beats in both of two figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from netsim.results.format import Unit


@dataclass(frozen=True)
class Cost:
    """What a run costs: its ``column`` in a study, and an axis in ``words`` and ``units``."""

    column: str
    words: str
    units: Sequence[Unit]


@dataclass(frozen=True)
class Candidate:
    """A run with a cost, of which less is better, and an accuracy, of which more is."""

    name: str
    cost: float
    accuracy: float


def front(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that nobody is at least as good as in both and better in one; by rising cost."""
    return sorted(
        (one for one in candidates if not any(_beats(other, one) for other in candidates)),
        key=lambda each: (each.cost, each.name),
    )


def _beats(other: Candidate, one: Candidate) -> bool:
    no_worse = other.cost <= one.cost and other.accuracy >= one.accuracy
    return no_worse and (other.cost < one.cost or other.accuracy > one.accuracy)
