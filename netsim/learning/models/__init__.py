"""What is trained: one file a model."""

from netsim.learning.models.base import Model
from netsim.learning.models.lenet5 import LeNet5
from netsim.learning.models.mlp import Mlp

MODELS: tuple[Model, ...] = (LeNet5(), Mlp())

__all__ = ["MODELS", "LeNet5", "Mlp", "Model"]
