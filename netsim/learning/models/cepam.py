"""The two networks of CEPAM's experiments.

Source: Ling et al., arXiv 2501.12046, Section V-A, for the layers' kinds and the exact numbers of
parameters on MNIST; the layers' sizes are those of the JoPEQ experiments it builds on.
"""

from math import prod
from typing import TYPE_CHECKING, ClassVar, Literal, final

from netsim.learning.models.base import Network
from netsim.learning.models.images import image_side
from netsim.learning.models.real import check_real
from netsim.learning.signature import Signature

if TYPE_CHECKING:
    from torch import nn

_SMALLEST = 16


@final
class CepamMlp(Network):
    """Two hidden layers, 32 and 16, with ReLU: 25,818 parameters on 28×28×1."""

    kind: Literal["cepam_mlp"] = "cepam_mlp"
    stack_limit: ClassVar[int] = 131072

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs of real numbers in any shape."""
        check_real(self, signature)
        from torch import nn

        return nn.Sequential(
            *(nn.Flatten(), nn.Linear(prod(signature.shape), 32), nn.ReLU()),
            *(nn.Linear(32, 16), nn.ReLU()),
            nn.Linear(16, signature.outputs),
        )


@final
class CepamCnn(Network):
    """Two convolutions, 6@5×5 each, with max-pooling, then 50 and the classes.

    6,422 parameters on 28×28×1.
    """

    kind: Literal["cepam_cnn"] = "cepam_cnn"
    stack_limit: ClassVar[int] = 4096

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are square images of at least 16×16."""
        given = image_side(self, signature, _SMALLEST)
        from torch import nn

        from netsim.learning.models.pooling import MaxPool2x2

        side = ((given - 4) // 2 - 4) // 2
        return nn.Sequential(
            *(nn.Conv2d(signature.shape[0], 6, 5), MaxPool2x2(), nn.ReLU()),
            *(nn.Conv2d(6, 6, 5), MaxPool2x2(), nn.ReLU(), nn.Flatten()),
            *(nn.Linear(6 * side * side, 50), nn.ReLU()),
            nn.Linear(50, signature.outputs),
        )
