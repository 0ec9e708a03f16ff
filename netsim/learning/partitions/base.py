"""What every partition is."""

from abc import ABC, abstractmethod

import numpy as np

from netsim.learning.base import Int64
from netsim.scenario.config import Config


class Partition(Config, ABC):
    """A way to share out the training samples among the clients."""

    kind: str

    @abstractmethod
    def split(
        self, labels: Int64, clients: int, rng: np.random.Generator, users: Int64 | None = None
    ) -> list[Int64]:
        """For each client the ascending indices of its samples: every sample goes to one client.

        ``labels`` and ``users`` are Int64[S], the latter None where nobody knows who samples are
        from.  Clients may come out empty. Raises Infeasible if the settings contradict the
        numbers.
        """


def parts_of(owners: Int64, clients: int) -> list[Int64]:
    """For each client the ascending indices of the samples whose owner Int64[S] it is."""
    order = np.argsort(owners, kind="stable")
    return np.split(order, np.searchsorted(owners[order], np.arange(1, clients)))
