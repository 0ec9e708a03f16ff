"""What every layer is."""

from abc import ABC, abstractmethod

from netsim.wire.hashed import Float64, Int64


class Layer(ABC):
    """The latent variable of a quantiser with cells β · (−½, ½]^d.

    Given β the error is uniform over the whole cell, or over the ball within it where
    ``in_ball``; over all β it has ``variance`` a coordinate.
    """

    @property
    @abstractmethod
    def in_ball(self) -> bool:
        """Whether an error outside the ball is rejected and a new dither tried."""

    @abstractmethod
    def cells(self, seed: int, blocks_B: Int64, dim: int) -> Float64:
        """β of each of these blocks, drawn from lanes 0 to 3 of the seed they share."""

    @abstractmethod
    def below(self, beta: float, dim: int) -> float:
        """The probability that a cell is at most ``beta``."""

    @abstractmethod
    def variance(self, dim: int) -> float:
        """The error's variance a coordinate."""
