"""What every model is."""

from abc import ABC, abstractmethod
from math import sqrt
from typing import TYPE_CHECKING, ClassVar, Literal

from netsim.learning.datasets.base import Tokenizer
from netsim.learning.errors import Infeasible
from netsim.learning.signature import Signature
from netsim.scenario.config import Config

if TYPE_CHECKING:
    from torch import nn


class Model(Config, ABC):
    """A kind of network; torch is imported when one is built.

    ``stack_limit``: up to how many numbers in a batch of one client several clients are
    computed faster stacked than one after the other.  ``foreign``: what is built is code of
    others, and its parameters start as that leaves them.
    """

    kind: str
    stack_limit: ClassVar[int] = 0
    foreign: ClassVar[bool] = False

    @abstractmethod
    def build(self, signature: Signature) -> "nn.Module":
        """The network that ``signature`` asks for, on the CPU.

        Raises Infeasible if such inputs or outputs do not fit.
        """

    @property
    def keeps_start(self) -> bool:
        """Whether its parameters start as what is built has them."""
        return self.foreign

    def tokenizer(self) -> Tokenizer | None:
        """What turns texts into the tokens it knows; None if the dataset's own words will do."""
        return None

    def deviation(self, fan_in: int) -> float:
        """Standard deviation of its first weights; by default He's for ReLU."""
        return sqrt(2 / fan_in)

    def unfit(self, wanted: str, signature: Signature) -> Infeasible:
        """The error on a task it does not fit."""
        return Infeasible(f"{self.kind} needs {wanted}, not inputs of {signature}", "task", "model")


class Network(Model, ABC):
    """A network with ReLU, whose ``start`` can be chosen.

    ``he``: weights normal with variance 2/fan-in, biases zero; ``torch``: as PyTorch's layers
    come, most of them with weights and biases uniform in ±1/√fan-in.
    """

    start: Literal["he", "torch"] = "he"

    @property
    def keeps_start(self) -> bool:
        """As in the base class."""
        return self.start == "torch"
