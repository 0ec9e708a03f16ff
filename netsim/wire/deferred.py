"""Values that are computed when they are first needed."""

from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from netsim.wire.register import Absent, active

T = TypeVar("T")
U = TypeVar("U")


class Deferred(Generic[T]):
    """A value computed once, at the first ``value()``; what it was computed from is let go."""

    __slots__ = ("__weakref__", "_compute", "_value")

    def __init__(self, compute: Callable[[], T]) -> None:
        register = active()
        self._compute: Callable[[], T] | None = (
            compute if register is None else register.enter(self, compute)
        )
        self._value: T

    @staticmethod
    def of(value: U) -> "Deferred[U]":
        """A value that is there already."""
        ready = Deferred(lambda: value)
        ready._value, ready._compute = value, None
        return ready

    def value(self) -> T:
        """The value.  What computing it raises passes through, each time it is asked for."""
        if self._compute is not None:
            register = active()
            if register is None:
                self._value = self._compute()
            else:
                with register.computing():
                    self._value = self._compute()
            self._compute = None
        return self._value

    def settle(self) -> None:
        """Compute it now, lest values made of it pile up, each a level deeper in the next one's
        call; a run that plays from a record needs not and cannot."""
        with suppress(Absent):
            self.value()
