"""Values that are computed when they are first needed."""

from collections.abc import Callable
from typing import Generic, TypeVar

from netsim.network.ledger import Diverged

T = TypeVar("T")
U = TypeVar("U")


class Absent(Diverged):
    """A value that a record does not hold was asked for."""

    def __init__(self) -> None:
        super().__init__("a value was asked for that is not on record")


class Deferred(Generic[T]):
    """A value computed once, at the first ``value()``; what it was computed from is let go."""

    __slots__ = ("_compute", "_value")

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute: Callable[[], T] | None = compute
        self._value: T

    @staticmethod
    def of(value: U) -> "Deferred[U]":
        """A value that is there already."""
        ready = Deferred(lambda: value)
        ready.value()
        return ready

    def value(self) -> T:
        """The value.  What computing it raises passes through, each time it is asked for."""
        if self._compute is not None:
            self._value = self._compute()
            self._compute = None
        return self._value
