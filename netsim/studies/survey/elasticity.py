"""How strongly a figure depends on a swept field: d log y / d log x."""

import math
from dataclasses import dataclass

from netsim.studies.survey.curves import Curve, Point


@dataclass(frozen=True)
class Elasticity:
    """Slopes on logarithmic axes: between the two lowest x, between the two highest, and the
    least-squares line through all.  −1 is a time that halves where the rate doubles, 0 one that
    does not depend on it."""

    low: float
    high: float
    whole: float


def elasticity(curve: Curve) -> Elasticity | None:
    """None with fewer than two points that are positive and finite."""
    points = [p for p in curve.points if p.x > 0 and 0 < p.middle < math.inf]
    if len(points) < 2:
        return None
    return Elasticity(_slope(points[:2]), _slope(points[-2:]), _slope(points))


def _slope(points: list[Point]) -> float:
    """Of the least-squares line through the points."""
    xs = [math.log(point.x) for point in points]
    ys = [math.log(point.middle) for point in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return rise / sum((x - x_mean) ** 2 for x in xs)
