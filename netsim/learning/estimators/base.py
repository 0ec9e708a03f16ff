"""What every estimator is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from netsim.scenario.config import Config

if TYPE_CHECKING:
    from torch import Tensor

    from netsim.learning.block import Block
    from netsim.learning.gradients import Estimate
    from netsim.learning.oracle import Oracle


class Estimates(ABC):
    """An estimator at work in a run, with what it remembers of each client.

    Shapes: W lanes, N parameters.
    """

    @abstractmethod
    def __call__(self, block: "Block", step: int) -> "Estimate":
        """Gradients and losses of the clients that take this step, at the block's parameters.

        A lane's result depends on its own client alone; what stands in other lanes means
        nothing. A client's steps are asked for in order. The tensors are the caller's to write to.
        """

    def state(self) -> Mapping[str, "Tensor"]:
        """What it remembers, by name."""
        return {}

    def restore(self, state: Mapping[str, "Tensor"]) -> None:
        """Go on from what another one remembered."""
        assert not state, "an estimator that remembers nothing"


class Estimator(Config, ABC):
    """A way to estimate the gradients of clients' local steps.

    ``remembers``: whether an estimate depends on the client's earlier ones.
    """

    kind: str
    remembers: ClassVar[bool] = False

    @abstractmethod
    def start(self, oracle: "Oracle") -> Estimates:
        """The estimator for one run. Raises Infeasible if it would take too much memory."""

    @abstractmethod
    def work(self, round: int, begins: bool, samples: int, first: int, drawn: int) -> int:
        """Gradients of single samples that a client with ``samples`` computes in a round.

        It trains in this round, for the first time if it ``begins``.
        ``drawn`` is how many all batches of the round have together, and ``first`` the first.
        """
