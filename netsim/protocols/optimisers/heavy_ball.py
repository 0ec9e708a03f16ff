"""Averaging with momentum at the server."""

from typing import final

import numpy as np

from netsim.protocols.optimisers.base import Optimiser, State
from netsim.protocols.vector import Vector, descend


@final
class HeavyBall(Optimiser):
    """x − lr · m with m ← β m + mean update, m from 0: FedAvgM (Hsu, Qi and Brown 2019).

    For one local step without momentum of the clients' own this is what clients with momentum
    β come to where all take part.
    """

    def __init__(self, momentum: float) -> None:
        self._momentum = np.float32(momentum)

    def initial(self, n: int) -> State:
        return (np.zeros(n, np.float32),)

    def step(
        self, model_n: Vector, direction_n: Vector, state: State, lr: float
    ) -> tuple[Vector, State]:
        (m_n,) = state
        m_n = m_n * self._momentum
        m_n += direction_n
        return descend(model_n, lr, m_n), (m_n,)
