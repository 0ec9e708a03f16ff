"""Normalised averaging."""

from typing import final

import numpy as np

from netsim.protocols.optimisers.base import Optimiser, State
from netsim.protocols.vector import Vector, descend


@final
class Nova(Optimiser):
    """x − lr · τ_eff · mean update, for updates of the size of one step (Wang et al. 2020)."""

    def __init__(self, steps: float) -> None:
        self._steps = np.float32(steps)

    def initial(self, n: int) -> State:
        return ()

    def step(
        self, model_n: Vector, direction_n: Vector, state: State, lr: float
    ) -> tuple[Vector, State]:
        return descend(model_n, lr, direction_n * self._steps), ()
