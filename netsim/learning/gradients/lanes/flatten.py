"""Images as vectors."""

from collections.abc import Sequence
from math import prod
from typing import final

from torch import Tensor, nn

from netsim.learning.gradients.lanes.base import Backward, Layer
from netsim.learning.layout import Shape


@final
class Flatten(Layer):
    """All that a sample has, one after the other."""

    parameters = 0

    def __init__(self, shape: Shape) -> None:
        self.shape = (prod(shape),)
        self.numbers = prod(shape)

    @staticmethod
    def of(module: nn.Flatten, shape: Shape) -> "Flatten | None":
        """None where only some dimensions are joined."""
        return Flatten(shape) if (module.start_dim, module.end_dim) == (1, -1) else None

    def forward(self, x: Tensor, weights: Sequence[Tensor]) -> tuple[Tensor, Backward]:
        """As in the base class."""

        def backward(dy: Tensor, gradients: Sequence[Tensor], further: bool) -> Tensor | None:
            return dy.reshape(x.shape)

        return x.flatten(1, -2), backward
