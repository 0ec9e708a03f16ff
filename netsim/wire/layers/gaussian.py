"""Balls whose mixture is Gaussian."""

from dataclasses import dataclass
from typing import final

import numpy as np

from netsim.wire.hashed import Float64, Int64, uniforms
from netsim.wire.layers.base import Layer


@final
@dataclass(frozen=True, slots=True)
class Gaussian(Layer):
    """Radius ``sigma`` · √U with U ~ χ²_{d+2}: the error is N(0, sigma² I) (CEPAM, Lemma 17).

    d = 1, 2 or 3.
    """

    sigma: float

    @property
    def in_ball(self) -> bool:
        return True

    def cells(self, seed: int, blocks_B: Int64, dim: int) -> Float64:
        assert dim in (1, 2, 3)
        chi2_B = -2 * np.log(uniforms(seed, 0, blocks_B))
        first_B, second_B = uniforms(seed, 1, blocks_B), uniforms(seed, 2, blocks_B)
        if dim == 2:
            chi2_B = chi2_B - 2 * np.log(first_B)
        else:
            normal_B = np.sqrt(-2 * np.log(first_B)) * np.cos(2 * np.pi * second_B)
            chi2_B = chi2_B + normal_B**2
        if dim == 3:
            chi2_B = chi2_B - 2 * np.log(uniforms(seed, 3, blocks_B))
        return np.asarray(2 * self.sigma * np.sqrt(chi2_B))

    def below(self, beta: float, dim: int) -> float:
        from scipy.special import gammainc

        return float(gammainc((dim + 2) / 2, (beta / (2 * self.sigma)) ** 2 / 2))

    def variance(self, dim: int) -> float:
        return self.sigma**2
