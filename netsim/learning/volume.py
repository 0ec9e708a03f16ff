"""Tasks without values, for models too big to hold and for runs where only sizes matter."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar, final

import numpy as np

from netsim.learning.base import Evaluation, Float32, Task
from netsim.learning.errors import NoValues
from netsim.wire.deferred import Deferred

T = TypeVar("T")


@final
class VolumeTask(Task):
    """``n`` parameters at each of ``clients``, and no value anywhere; every client has a sample.

    Reading any of its deferred values, which are all one, raises NoValues, and so does
    evaluating; functions given to ``defer`` are not kept.
    """

    values = False
    lr = 0.0

    def __init__(self, n: int, clients: int) -> None:
        self.n = n
        self.clients = clients
        self.samples = np.ones(clients, np.int64)
        self.initial = Deferred[Float32](_no_value)
        self._never = Deferred[Any](_no_value)

    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """A value that never is."""
        return self._never

    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """A value that never is."""
        return self._never

    def evaluate(
        self, models: Sequence[Deferred[Float32]], nodes: Sequence[int] | None = None
    ) -> list[Evaluation]:
        """Raises NoValues."""
        _no_value()


def _no_value() -> NoReturn:
    raise NoValues
