"""What every model is."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from netsim.learning.layout import Shape

if TYPE_CHECKING:
    from torch import nn


class Model(ABC):
    """A kind of network; torch is imported when one is built.

    ``stack_limit``: up to how many numbers in a batch of one client several clients are
    computed faster stacked than one after the other.
    """

    name: ClassVar[str]
    stack_limit: ClassVar[int]

    @abstractmethod
    def build(self, shape: Shape, classes: int) -> "nn.Module":
        """The network for inputs of ``shape``, with one output a class.

        Its parameters are set by the caller. Raises Infeasible if such inputs do not fit.
        """
