"""Noise whose size follows the update's norm."""

import math
from typing import Literal, final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.protocols.steps.base import VectorStep
from netsim.protocols.vector import Vector


@final
class RelativeNoise(VectorStep):
    """Add (‖x‖/γ) · Z with Z of standard deviation or scale ``size`` in each coordinate.

    The noise that CEPAM's quantiser leaves, without its compression; γ is √n by default.
    """

    def __init__(
        self,
        law: Literal["gaussian", "laplace"],
        size: float,
        gamma: float | None,
        streams: Streams,
    ) -> None:
        self._law = law
        self._size = size
        self._gamma = gamma
        self._streams = streams

    def apply(self, update: Vector, client: int, round: int) -> Vector:
        rng = self._streams.rng("privacy noise", round, client)
        n = len(update)
        unit = math.sqrt(float(np.square(update, dtype=np.float64).sum()))
        unit /= self._gamma or math.sqrt(n)
        noise = rng.standard_normal(n) if self._law == "gaussian" else rng.laplace(size=n)
        return (update + noise * (self._size * unit)).astype(np.float32)
