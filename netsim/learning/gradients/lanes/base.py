"""What every layer is.  Shapes: L lanes, B samples of each, and between them what a sample has.

Samples come last, so that all samples of a lane lie side by side in memory: windows of images
are copied in long runs, pooling takes samples for channels, and products of a lane are matrices.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from torch import Tensor

from netsim.learning.layout import Shape

Backward = Callable[[Tensor, Sequence[Tensor], bool], Tensor | None]
"""Of a layer's output, by the gradient at it: writes each lane's parameter gradients to the
tensors given, and returns the gradient at the layer's input if that is wanted."""


class Layer(ABC):
    """A layer of a network, computed for all lanes at once; what a lane gets depends on it alone.

    ``shape`` is that of a sample's output, ``parameters`` how many tensors it takes, and
    ``numbers`` how many a sample needs on the way.
    """

    shape: Shape
    parameters: int
    numbers: int

    @abstractmethod
    def forward(self, x: Tensor, weights: Sequence[Tensor]) -> tuple[Tensor, Backward]:
        """The output [L, …, B] for ``x`` [L, …, B] and each lane's ``weights`` [L, …]."""
