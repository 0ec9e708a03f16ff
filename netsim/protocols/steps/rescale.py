"""Taking an update to the size of one step."""

from collections.abc import Callable
from typing import final

import numpy as np

from netsim.protocols.steps.base import VectorStep
from netsim.protocols.vector import Vector


@final
class PerStep(VectorStep):
    """Divide an update by what its client's local steps weigh, but for its last ``statistics``."""

    def __init__(self, weight: Callable[[int], float], statistics: int) -> None:
        self._weight = weight
        self._statistics = statistics

    def apply(self, update: Vector, client: int, round: int) -> Vector:
        scaled = update * np.float32(1 / self._weight(client))
        trained = len(update) - self._statistics
        scaled[trained:] = update[trained:]
        return scaled
