"""Samples dealt out at random."""

from typing import Literal, final

import numpy as np

from netsim.learning.base import Int64
from netsim.learning.partitions.base import Partition


@final
class Iid(Partition):
    """Every client the same number of samples, drawn uniformly; the first ones at most one more."""

    kind: Literal["iid"] = "iid"

    def split(
        self, labels: Int64, clients: int, rng: np.random.Generator, users: Int64 | None = None
    ) -> list[Int64]:
        """As in the base class; clients are empty where there are more of them than samples."""
        order = rng.permutation(len(labels))
        return [np.sort(part) for part in np.array_split(order, clients)]
