"""Updates that are drawn, for protocols whose messages have sizes that depend on values."""

from collections.abc import Callable, Sequence
from typing import TypeVar, final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation, Float32, Task
from netsim.wire.deferred import Deferred

T = TypeVar("T")


@final
class DrawnTask(Task):
    """Every client's update is the same ``n`` standard normal numbers; nothing is learned.

    They stand for a trained model's updates, whose coordinates the papers find near normal
    (ERIS, Appendix F.1).  Every client has a sample.
    """

    values = True
    lr = 1.0

    def __init__(self, n: int, clients: int) -> None:
        self.n = n
        self.clients = clients
        self.samples = np.ones(clients, np.int64)
        self.initial = Deferred(lambda: np.zeros(n, np.float32))
        self._update = Deferred(lambda: _drawn(n))

    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """The same for all."""
        return self._update

    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """A value that ``compute`` gives when it is needed."""
        return Deferred(compute)

    def evaluate(
        self, models: Sequence[Deferred[Float32]], nodes: Sequence[int] | None = None
    ) -> list[Evaluation]:
        """Nothing to say about any model."""
        return []


def _drawn(n: int) -> Float32:
    return Streams(0).rng("drawn update").standard_normal(n, np.float32)
