"""What every partition is."""

from abc import ABC, abstractmethod

import numpy as np

from netsim.learning.base import Int64
from netsim.scenario.config import Config


class Partition(Config, ABC):
    """A way to share out the training samples among the clients."""

    kind: str

    @abstractmethod
    def split(self, labels: Int64, clients: int, rng: np.random.Generator) -> list[Int64]:
        """For each client the ascending indices of its samples: every sample goes to one client.

        Clients may come out empty. Raises Infeasible if the settings contradict the numbers.
        """
