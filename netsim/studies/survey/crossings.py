"""Where one run overtakes another along a swept field."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from netsim.studies.survey.curves import Curve, Panel


@dataclass(frozen=True)
class Reign:
    """``best`` has the least value from ``start`` to ``end``; None where nobody has one.

    Runs that are equal throughout share it.
    """

    start: float
    end: float
    best: tuple[str, ...] | None


_EQUAL = 1e-9
"""Values this near to each other, relatively, are equal: rounding may part them."""


def reigns(panel: Panel) -> list[Reign]:
    """Who is best over the whole range, from curves that are straight between their points.

    Straight on logarithmic axes, where all x and values are positive, as power laws are.
    """
    found: list[Reign] = []
    for left, right in pairwise(panel.xs()):
        whole = [c for c in panel.curves if math.isfinite(c.at(left) + c.at(right))]
        cuts = [left, *_cuts(whole, left, right), right]
        for start, end in pairwise(cuts):
            best = _best(whole, left, right, _between(start, end, left))
            if found and found[-1].best == best:
                found[-1] = Reign(found[-1].start, end, best)
            else:
                found.append(Reign(start, end, best))
    return found


def _cuts(curves: Sequence[Curve], left: float, right: float) -> list[float]:
    """Where two of the curves cross within an interval, ascending."""
    cuts = set()
    for one, other in combinations(curves, 2):
        before = _gap(one.at(left), other.at(left), left)
        after = _gap(one.at(right), other.at(right), left)
        if before * after < 0:
            share = before / (before - after)
            cuts.add(_along(left, right, share))
    return sorted(cuts)


def _gap(one: float, other: float, x: float) -> float:
    if math.isclose(one, other, rel_tol=_EQUAL):
        return 0.0
    return math.log(one / other) if min(one, other, x) > 0 else one - other


def _along(left: float, right: float, share: float) -> float:
    if left > 0:
        return float(left * (right / left) ** share)
    return left + share * (right - left)


def _between(start: float, end: float, left: float) -> float:
    return math.sqrt(start * end) if left > 0 else (start + end) / 2


def _best(curves: Sequence[Curve], left: float, right: float, x: float) -> tuple[str, ...] | None:
    if not curves:
        return None
    share = math.log(x / left) / math.log(right / left) if left > 0 else (x - left) / (right - left)
    values = {curve.name: _value(curve.at(left), curve.at(right), share) for curve in curves}
    least = min(values.values())
    return tuple(n for n, value in values.items() if math.isclose(value, least, rel_tol=_EQUAL))


def _value(before: float, after: float, share: float) -> float:
    if min(before, after) > 0:
        return float(before * (after / before) ** share)
    return before + share * (after - before)
