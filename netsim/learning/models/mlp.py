"""A perceptron with one hidden layer."""

from math import prod
from typing import TYPE_CHECKING, ClassVar, final

from netsim.learning.layout import Shape
from netsim.learning.models.base import Model

if TYPE_CHECKING:
    from torch import nn

_HIDDEN = 64


@final
class Mlp(Model):
    """One hidden layer of 64 with ReLU: 50,890 parameters on 28×28×1, 17,098 on 16×16×1."""

    name: ClassVar[str] = "mlp"
    stack_limit: ClassVar[int] = 131072

    def build(self, shape: Shape, classes: int) -> "nn.Module":
        """As in the base class; inputs of any shape."""
        from torch import nn

        hidden = nn.Linear(prod(shape), _HIDDEN)
        return nn.Sequential(nn.Flatten(), hidden, nn.ReLU(), nn.Linear(_HIDDEN, classes))
