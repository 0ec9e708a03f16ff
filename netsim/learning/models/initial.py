"""The parameters everybody starts from."""

from math import sqrt

import torch

from netsim.kernel.streams import Streams
from netsim.learning.flat import FlatModule
from netsim.learning.layout import Shape
from netsim.learning.models.base import Model


def initial_model(model: Model, shape: Shape, classes: int, streams: Streams) -> FlatModule:
    """``model`` with weights and biases uniform in ±1/√fan-in, from the stream "init".

    The same bounds as torch's own for linear and convolutional layers, without its global
    random state.
    """
    with torch.device("meta"):
        module = model.build(shape, classes)
    flat = FlatModule(module)
    generator = torch.Generator().manual_seed(streams.integer("init"))
    fan_in = 0
    for part in flat.parts():
        # A bias follows its weights.
        fan_in = part[0].numel() if part.dim() > 1 else fan_in
        part.uniform_(-1 / sqrt(fan_in), 1 / sqrt(fan_in), generator=generator)
    return flat
