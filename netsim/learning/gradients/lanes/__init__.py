"""Layers computed for many clients side by side: one file a layer."""

from typing import Any

from torch import nn

from netsim.learning.gradients.lanes.base import Layer
from netsim.learning.gradients.lanes.convolution import Convolution
from netsim.learning.gradients.lanes.flatten import Flatten
from netsim.learning.gradients.lanes.linear import Linear
from netsim.learning.gradients.lanes.pooling import Pooling
from netsim.learning.gradients.lanes.relu import Relu
from netsim.learning.layout import Shape
from netsim.learning.models.pooling import MaxPool2x2

__all__ = ["Layer", "layers_of"]

_LAYERS: dict[type[nn.Module], Any] = {
    nn.Conv2d: Convolution,
    nn.Flatten: Flatten,
    nn.Linear: Linear,
    MaxPool2x2: Pooling,
    nn.ReLU: Relu,
}


def layers_of(module: nn.Module, shape: Shape) -> list[Layer] | None:
    """The layers of a plain sequence, for samples of ``shape``; None if it has others."""
    layers: list[Layer] = []
    for part in _leaves(module):
        kind = _LAYERS.get(type(part))
        layer = None if kind is None else kind.of(part, shape)
        if layer is None:
            return None
        layers.append(layer)
        shape = layer.shape
    tensors = sum(layer.parameters for layer in layers)
    return layers if tensors == len(list(module.parameters())) else None


def _leaves(module: nn.Module) -> list[nn.Module]:
    if type(module) is not nn.Sequential:
        return [module]
    return [leaf for part in module for leaf in _leaves(part)]
