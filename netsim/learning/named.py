"""Components that a scenario calls by name."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol, TypeVar

from netsim.scenario.suggest import unknown


class Named(Protocol):
    """A component with a name."""

    name: ClassVar[str]


T = TypeVar("T", bound=Named)


def find(components: Sequence[T], name: str) -> T:
    """The component called ``name``, which is known to exist."""
    return next(component for component in components if component.name == name)


def checked(what: str, components: Sequence[Named]) -> Callable[[str], str]:
    """A validator that lets through the names of ``components``."""
    names = [component.name for component in components]

    def check(name: str) -> str:
        if name not in names:
            raise ValueError(unknown(what, name, names))
        return name

    return check
