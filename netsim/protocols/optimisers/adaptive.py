"""Adaptive steps: Adam and Yogi at the server."""

from abc import abstractmethod
from typing import final

import numpy as np

from netsim.protocols.optimisers.base import Optimiser, State
from netsim.protocols.vector import Vector


class Adaptive(Optimiser):
    """x + η m/(√v + τ) along Δ = −lr · mean update (Reddi et al. 2021, Algorithm 2).

    m ← β₁ m + (1 − β₁) Δ from 0; v as each optimiser has it, from τ².  No bias correction.
    """

    def __init__(self, server_lr: float, beta1: float, beta2: float, tau: float) -> None:
        self._lr, self._tau = np.float32(server_lr), np.float32(tau)
        self._beta1, self._rest1 = np.float32(beta1), np.float32(1 - beta1)
        self._beta2, self._rest2 = np.float32(beta2), np.float32(1 - beta2)

    @abstractmethod
    def second(self, v_n: Vector, square_n: Vector) -> Vector:
        """The next v, from Δ²."""

    def initial(self, n: int) -> State:
        return np.zeros(n, np.float32), np.full(n, self._tau * self._tau, np.float32)

    def step(
        self, model_n: Vector, direction_n: Vector, state: State, lr: float
    ) -> tuple[Vector, State]:
        m_n, v_n = state
        delta_n = direction_n * np.float32(-lr)
        m_n = m_n * self._beta1
        m_n += delta_n * self._rest1
        v_n = self.second(v_n, delta_n * delta_n)
        change_n = m_n * self._lr
        root_n = np.sqrt(v_n)
        root_n += self._tau
        change_n /= root_n
        change_n += model_n
        return change_n, (m_n, v_n)


@final
class Adam(Adaptive):
    """v ← β₂ v + (1 − β₂) Δ²."""

    def second(self, v_n: Vector, square_n: Vector) -> Vector:
        v_n = v_n * self._beta2
        v_n += square_n * self._rest2
        return v_n


@final
class Yogi(Adaptive):
    """v ← v − (1 − β₂) Δ² sign(v − Δ²)."""

    def second(self, v_n: Vector, square_n: Vector) -> Vector:
        sign_n = np.sign(v_n - square_n)
        change_n = square_n * self._rest2
        change_n *= sign_n
        return v_n - change_n
