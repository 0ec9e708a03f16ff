"""The parameters everybody starts from."""

from math import sqrt

import torch

from netsim.kernel.streams import Streams
from netsim.learning.flat import FlatModule
from netsim.learning.layout import Shape
from netsim.learning.models.base import Model


def initial_model(model: Model, shape: Shape, classes: int, streams: Streams) -> FlatModule:
    """``model`` with normal weights of variance 2/fan-in and zero biases, from the stream "init".

    Source: He, Zhang, Ren and Sun 2015, Eq. 10, for networks with ReLU.
    """
    with torch.device("meta"):
        module = model.build(shape, classes)
    flat = FlatModule(module)
    generator = torch.Generator().manual_seed(streams.integer("init"))
    for part in flat.parts():
        if part.dim() > 1:
            part.normal_(0, sqrt(2 / part[0].numel()), generator=generator)
    return flat
