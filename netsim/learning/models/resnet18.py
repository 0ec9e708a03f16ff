"""ResNet-18 for small images."""

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, final

from netsim.learning.models.base import Network
from netsim.learning.models.images import image_side
from netsim.learning.signature import Signature

if TYPE_CHECKING:
    from torch import nn

_SMALLEST = 8
_STAGES = (64, 128, 256, 512)


@final
class ResNet18(Network):
    """He et al. 2016, Section 4.2, with the first layer 3×3 and no pooling after it.

    11,173,962 parameters on 32×32×3.  ``norm``: ``batch`` (9,600 running statistics are
    exchanged and averaged with the parameters) or ``group`` (8 groups, none).
    """

    kind: Literal["resnet18"] = "resnet18"
    norm: Literal["batch", "group"] = "batch"

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are square images of at least 8×8."""
        image_side(self, signature, _SMALLEST)
        from torch import nn

        from netsim.learning.models.residual import Residual, normalised

        def block(inputs: int, outputs: int, stride: int) -> nn.Module:
            first = normalised(inputs, outputs, self.norm, stride)
            inner = nn.Sequential(first, nn.ReLU(), normalised(outputs, outputs, self.norm))
            shortcut: nn.Module = nn.Identity()
            if stride > 1:
                shortcut = normalised(inputs, outputs, self.norm, stride, kernel=1)
            return nn.Sequential(Residual(inner, shortcut), nn.ReLU())

        width = _STAGES[0]
        layers = [normalised(signature.shape[0], width, self.norm), nn.ReLU()]
        layers += [block(width, width, 1), block(width, width, 1)]
        for inputs, outputs in pairwise(_STAGES):
            layers += [block(inputs, outputs, 2), block(outputs, outputs, 1)]
        pooled = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(_STAGES[-1], signature.outputs))
        return nn.Sequential(*layers, *pooled)
