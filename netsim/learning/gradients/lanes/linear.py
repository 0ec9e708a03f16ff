"""A product with a matrix."""

from collections.abc import Sequence
from math import prod
from typing import final

import torch
from torch import Tensor, nn

from netsim.learning.gradients.lanes.base import Backward, Layer
from netsim.learning.gradients.lanes.matrices import applied, at_input, at_weight
from netsim.learning.layout import Shape


@final
class Linear(Layer):
    """W x + b, a matrix product for each lane."""

    def __init__(self, shape: Shape, parameters: int) -> None:
        self.shape = shape
        self.parameters = parameters
        self.numbers = prod(shape)

    @staticmethod
    def of(module: nn.Linear, shape: Shape) -> "Linear | None":
        """None for an input that is no vector."""
        if shape != (module.in_features,):
            return None
        return Linear((module.out_features,), 1 + (module.bias is not None))

    def forward(self, x: Tensor, weights: Sequence[Tensor]) -> tuple[Tensor, Backward]:
        """As in the base class: x [L, in, B], weights [L, out, in] and [L, out]."""
        weight, bias = weights[0], weights[1] if len(weights) > 1 else None

        def backward(dy: Tensor, gradients: Sequence[Tensor], further: bool) -> Tensor | None:
            at_weight(dy, x, gradients[0])
            if bias is not None:
                torch.sum(dy, 2, out=gradients[1])
            return at_input(weight, dy) if further else None

        return applied(weight, bias, x), backward
