"""Clipping."""

from typing import final

import numpy as np

from netsim.protocols.steps.base import VectorStep
from netsim.protocols.vector import Vector


@final
class Clip(VectorStep):
    """Scale an update down to the Euclidean norm ``norm`` where it is longer."""

    def __init__(self, norm: float) -> None:
        self._norm = norm

    def apply(self, update: Vector, client: int, round: int) -> Vector:
        length = float(np.sqrt(np.square(update, dtype=np.float64).sum()))
        return update if length <= self._norm else update * np.float32(self._norm / length)
