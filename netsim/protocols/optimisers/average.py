"""Plain averaging."""

from typing import final

from netsim.protocols.optimisers.base import Optimiser, State
from netsim.protocols.vector import Vector, descend


@final
class Average(Optimiser):
    """x − lr · mean update: the mean of the clients' models (McMahan et al. 2017)."""

    def initial(self, n: int) -> State:
        return ()

    def step(
        self, model_n: Vector, direction_n: Vector, state: State, lr: float
    ) -> tuple[Vector, State]:
        return descend(model_n, lr, direction_n), ()
