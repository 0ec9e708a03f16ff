"""What every server optimiser is."""

from abc import ABC, abstractmethod

from netsim.protocols.vector import Vector

State = tuple[Vector, ...]


class Optimiser(ABC):
    """A step of the global model, elementwise.  Shapes: any n coordinates, float32."""

    @abstractmethod
    def initial(self, n: int) -> State:
        """What it remembers of each coordinate before the first step; may be nothing."""

    @abstractmethod
    def step(
        self, model_n: Vector, direction_n: Vector, state: State, lr: float
    ) -> tuple[Vector, State]:
        """The new model and memory; ``direction_n`` is the mean update, ``lr`` the clients'."""
