"""ResNet-9."""

from typing import TYPE_CHECKING, Literal, final

from pydantic import Field

from netsim.learning.models.base import Network
from netsim.learning.models.images import image_side
from netsim.learning.signature import Signature

if TYPE_CHECKING:
    from torch import nn

_SMALLEST = 8


@final
class ResNet9(Network):
    """Eight convolutions of 3×3, two residual pairs among them, and a linear layer.

    With ``width`` 32 its convolutions have 32, 64, 64, 64, 128, 256, 256 and 256 channels:
    1,646,122 parameters on 32×32×3, the 1.65 M of ERIS, Section 4.  ``norm``: ``batch`` (2,240
    running statistics are exchanged and averaged with the parameters) or ``group`` (8 groups,
    none).
    """

    kind: Literal["resnet9"] = "resnet9"
    width: int = Field(default=32, ge=8, le=65536, multiple_of=8)
    norm: Literal["batch", "group"] = "batch"

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are square images of at least 8×8."""
        image_side(self, signature, _SMALLEST)
        from torch import nn

        from netsim.learning.models.pooling import MaxPool2x2
        from netsim.learning.models.residual import Residual, normalised

        def block(inputs: int, outputs: int) -> nn.Module:
            return nn.Sequential(normalised(inputs, outputs, self.norm), nn.ReLU())

        def pair(channels: int) -> nn.Module:
            inner = nn.Sequential(block(channels, channels), block(channels, channels))
            return Residual(inner, nn.Identity())

        w = self.width
        return nn.Sequential(
            *(block(signature.shape[0], w), block(w, 2 * w), MaxPool2x2(), pair(2 * w)),
            *(block(2 * w, 4 * w), MaxPool2x2(), block(4 * w, 8 * w), MaxPool2x2(), pair(8 * w)),
            *(nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(8 * w, signature.outputs)),
        )
