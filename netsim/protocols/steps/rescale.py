"""Taking an update to the size of one step."""

from collections.abc import Callable
from typing import final

import numpy as np

from netsim.protocols.steps.base import VectorStep
from netsim.protocols.vector import Vector


@final
class PerStep(VectorStep):
    """Divide an update by what its client's local steps weigh."""

    def __init__(self, weight: Callable[[int], float]) -> None:
        self._weight = weight

    def apply(self, update: Vector, client: int, round: int) -> Vector:
        return update * np.float32(1 / self._weight(client))
