"""Rectified linear units."""

from collections.abc import Sequence
from math import prod
from typing import final

import torch
from torch import Tensor, nn

from netsim.learning.gradients.lanes.base import Backward, Layer
from netsim.learning.layout import Shape


@final
class Relu(Layer):
    """max(x, 0), with gradient 0 at 0."""

    parameters = 0

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.numbers = prod(shape)

    @staticmethod
    def of(module: nn.ReLU, shape: Shape) -> "Relu":
        """For inputs of any shape."""
        return Relu(shape)

    def forward(self, x: Tensor, weights: Sequence[Tensor]) -> tuple[Tensor, Backward]:
        """As in the base class."""
        y = x.relu()

        def backward(dy: Tensor, gradients: Sequence[Tensor], further: bool) -> Tensor | None:
            at_x: Tensor = torch.ops.aten.threshold_backward(dy, y, 0)
            return at_x

        return y, backward
