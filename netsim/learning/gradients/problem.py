"""What gradients are taken of."""

from dataclasses import dataclass

from torch import Tensor

from netsim.learning.flat import FlatModule


@dataclass(frozen=True)
class Problem:
    """A model and its training samples: ``inputs`` Float32[S, …] and ``labels`` Int64[S]."""

    model: FlatModule
    inputs: Tensor
    labels: Tensor
