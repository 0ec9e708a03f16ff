"""Gaussian noise of a fixed size."""

from typing import final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.protocols.steps.base import VectorStep
from netsim.protocols.vector import Vector


@final
class GaussianNoise(VectorStep):
    """Add N(0, ``deviation``²) to every coordinate, drawn anew for each client and round."""

    def __init__(self, deviation: float, streams: Streams) -> None:
        self._deviation = deviation
        self._streams = streams

    def apply(self, update: Vector, client: int, round: int) -> Vector:
        rng = self._streams.rng("privacy noise", round, client)
        noise = rng.standard_normal(len(update), np.float32)
        noise *= np.float32(self._deviation)
        noise += update
        return noise
