"""What gradients are taken of."""

from dataclasses import dataclass

from torch import Tensor

from netsim.learning.flat import FlatModule
from netsim.learning.objectives import Objective


@dataclass(frozen=True)
class Problem:
    """A model, its training samples ``inputs`` [S, …] and ``labels`` [S, …], and their loss."""

    model: FlatModule
    inputs: Tensor
    labels: Tensor
    objective: Objective
