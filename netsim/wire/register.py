"""Numbers for deferred values, so that a run can be left and taken up again."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, final
from weakref import WeakValueDictionary

from netsim.network.ledger import Diverged

Compute = Callable[[], Any]


class Absent(Diverged):
    """A value that a record does not hold was asked for."""

    def __init__(self) -> None:
        super().__init__("a value was asked for that is not on record")


@final
class Register:
    """Counts deferred values in the order in which a run makes them, the same whenever it is run.

    Of an earlier run of the same kind the first ``known`` numbers are not computed: their
    values are those of ``stored``, or absent.  Values made while another is computed have no
    number.
    """

    def __init__(self, known: int = 0, stored: Mapping[int, Any] | None = None) -> None:
        self.count = 0
        self._known = known
        self._stored = dict(stored or {})
        self._alive: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self._depth = 0

    @property
    def replaying(self) -> bool:
        """Whether the earlier run made the next value, too."""
        return self.count < self._known

    def enter(self, deferred: Any, compute: Compute) -> Compute:
        """A value was made; returns what computes it."""
        if self._depth:
            return compute
        number, replaying = self.count, self.replaying
        self.count += 1
        self._alive[number] = deferred
        if not replaying:
            return compute
        if number in self._stored:
            value = self._stored.pop(number)
            return lambda: value
        return absent

    def settle(self) -> None:
        """Compute all that somebody could still read and that is on record.

        The latest first: that lets go of what only it needed, so that little is held at once.
        """
        for number in sorted(self._alive, reverse=True):
            deferred = self._alive.get(number)
            if deferred is not None:
                with suppress(Absent):
                    deferred.value()

    def alive(self) -> list[tuple[int, Any]]:
        """The values that somebody could still read, by number, ascending."""
        return sorted(self._alive.items())

    @contextmanager
    def computing(self) -> Iterator[None]:
        """A value is computed meanwhile."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1


_ACTIVE: ContextVar[Register | None] = ContextVar("register", default=None)
active = _ACTIVE.get
"""The register of the run that goes on here, if it has one."""


@contextmanager
def registered(register: Register) -> Iterator[None]:
    """Deferred values that are made meanwhile are numbered."""
    token = _ACTIVE.set(register)
    try:
        yield
    finally:
        _ACTIVE.reset(token)


def absent() -> Any:
    """Computes a value that is not on record: raises `Absent`."""
    raise Absent
