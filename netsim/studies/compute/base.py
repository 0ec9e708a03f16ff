"""What every model of computing time is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding

Timer = Callable[[int, int, int], float]
"""Seconds for a client's local training in a round, in which it works through so many samples."""


class Compute(Config, ABC):
    """The virtual time of one client's local training in one round; ``instant`` if always 0."""

    kind: str
    instant: ClassVar[bool] = False

    @abstractmethod
    def timer(self, clients: int, class_K: Sequence[str], streams: Streams) -> Timer:
        """The times of ``clients``, whose classes are ``class_K``, or empty without classes."""

    def problems(self, network: NetworkConfig) -> Iterator[Finding]:
        """What does not fit the network."""
        yield from ()
