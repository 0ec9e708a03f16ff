"""The parameters everybody starts from."""

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

from netsim.kernel.streams import Streams
from netsim.learning.errors import Infeasible, first_line
from netsim.learning.flat import FlatModule
from netsim.learning.models.base import Model
from netsim.learning.signature import Signature

_NORMS = (_BatchNorm, nn.GroupNorm, nn.LayerNorm)


def initial_model(model: Model, signature: Signature, streams: Streams) -> FlatModule:
    """``model`` with normal weights and zero biases from the stream "init"; norms start at one.

    Variance 2/fan-in unless the model says otherwise, or keeps its own start.  Source: He, Zhang,
    Ren and Sun 2015, Eq. 10, for networks with ReLU.  torch's own random state does not move.
    """
    seed = streams.integer("init")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        try:
            module = model.build(signature)
            module.train()
        except (MemoryError, RuntimeError) as error:
            # What torch raises where there is not enough memory.
            raise Infeasible(f"cannot be built: {first_line(error)}", "task", "model") from error
    flat = FlatModule(module, foreign=model.foreign)
    if not model.keeps_start:
        _start(model, flat, torch.Generator().manual_seed(seed))
    return flat


def _start(model: Model, flat: FlatModule, generator: torch.Generator) -> None:
    norms = {
        id(parameter)
        for each in flat.module.modules()
        if isinstance(each, _NORMS)
        for parameter in each.parameters()
    }
    for parameter in flat.parameters:
        part = parameter.data
        if id(parameter) in norms:
            continue
        if part.dim() > 1:
            part.normal_(0, model.deviation(part[0].numel()), generator=generator)
        else:
            part.zero_()
