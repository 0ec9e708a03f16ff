"""LeNet-5."""

from typing import TYPE_CHECKING, ClassVar, Literal, final

from netsim.learning.models.base import Network
from netsim.learning.models.images import image_side
from netsim.learning.signature import Signature

if TYPE_CHECKING:
    from torch import nn

_SMALLEST = 12


@final
class LeNet5(Network):
    """Two convolutions, 6@5×5 (padded) and 16@5×5, with max-pooling, then 120, 84 and the classes.

    61,706 parameters on 28×28×1. ReLU and max-pooling as in common use; LeCun et al. 1998 have
    tanh and mean-pooling. Pooling comes before ReLU: the same values, sooner.
    """

    kind: Literal["lenet5"] = "lenet5"
    stack_limit: ClassVar[int] = 4096

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are square images of at least 12×12."""
        given = image_side(self, signature, _SMALLEST)
        from torch import nn

        from netsim.learning.models.pooling import MaxPool2x2

        side = (given // 2 - 4) // 2
        return nn.Sequential(
            *(nn.Conv2d(signature.shape[0], 6, 5, padding=2), MaxPool2x2(), nn.ReLU()),
            *(nn.Conv2d(6, 16, 5), MaxPool2x2(), nn.ReLU(), nn.Flatten()),
            *(nn.Linear(16 * side * side, 120), nn.ReLU()),
            *(nn.Linear(120, 84), nn.ReLU()),
            nn.Linear(84, signature.outputs),
        )
