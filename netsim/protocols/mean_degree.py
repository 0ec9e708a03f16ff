"""A mean degree that need not be whole, as a mix of regular rounds."""

from fractions import Fraction
from math import ceil, floor
from typing import final


@final
class MeanDegree:
    """Each round is regular, of a degree next to ``density`` · (nodes − 1); the mean is exact.

    The degrees are ⌊x⌋ and ⌈x⌉, or where an odd number of nodes rules out odd degrees the even
    numbers on both sides of x.  Rounds of the higher degree are spread evenly, one first.
    """

    def __init__(self, density: float, nodes: int) -> None:
        self.mean = Fraction(repr(float(density))) * (nodes - 1)
        step = 1 + nodes % 2
        self.low = floor(self.mean / step) * step
        self.high = ceil(self.mean / step) * step
        apart = self.high - self.low
        self._share = (self.mean - self.low) / apart if apart else Fraction(0)

    def of(self, round: int) -> int:
        """The degree of a round."""
        rises = ceil((round + 1) * self._share) > ceil(round * self._share)
        return self.high if rises else self.low
