"""Cells that are all the same."""

from dataclasses import dataclass
from typing import final

import numpy as np

from netsim.wire.hashed import Float64, Int64
from netsim.wire.layers.base import Layer


@final
@dataclass(frozen=True, slots=True)
class Cell(Layer):
    """Subtractive dithering: an error uniform over the cell of side ``step`` (CEPAM, Def. 1)."""

    step: float

    @property
    def in_ball(self) -> bool:
        return False

    def cells(self, seed: int, blocks_B: Int64, dim: int) -> Float64:
        return np.full(len(blocks_B), self.step)

    def below(self, beta: float, dim: int) -> float:
        return float(beta >= self.step)

    def variance(self, dim: int) -> float:
        return self.step**2 / 12


@final
@dataclass(frozen=True, slots=True)
class Ball(Layer):
    """RSUQ: an error uniform over the ball of ``radius`` (CEPAM, Definition 2)."""

    radius: float

    @property
    def in_ball(self) -> bool:
        return True

    def cells(self, seed: int, blocks_B: Int64, dim: int) -> Float64:
        return np.full(len(blocks_B), 2 * self.radius)

    def below(self, beta: float, dim: int) -> float:
        return float(beta >= 2 * self.radius)

    def variance(self, dim: int) -> float:
        return self.radius**2 / (dim + 2)
