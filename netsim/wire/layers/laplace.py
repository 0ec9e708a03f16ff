"""Intervals whose mixture is Laplace's distribution."""

from dataclasses import dataclass
from typing import final

import numpy as np

from netsim.wire.hashed import Float64, Int64, uniforms
from netsim.wire.layers.base import Layer


@final
@dataclass(frozen=True, slots=True)
class Laplace(Layer):
    """Half-width ``b`` · U with U ~ Gamma(2, 1): the error is Lap(0, b) (CEPAM, Lemma 18).

    d = 1.
    """

    b: float

    @property
    def in_ball(self) -> bool:
        return True

    def cells(self, seed: int, blocks_B: Int64, dim: int) -> Float64:
        assert dim == 1
        gamma_B = -np.log(uniforms(seed, 0, blocks_B)) - np.log(uniforms(seed, 1, blocks_B))
        return np.asarray(2 * self.b * gamma_B)

    def below(self, beta: float, dim: int) -> float:
        u = beta / (2 * self.b)
        return float(1 - (1 + u) * np.exp(-u))

    def variance(self, dim: int) -> float:
        return 2 * self.b**2
