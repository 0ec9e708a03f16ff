"""Samples that stay together by who they are from."""

from typing import Literal, final

import numpy as np

from netsim.learning.base import Int64
from netsim.learning.errors import Infeasible
from netsim.learning.partitions.base import Partition, parts_of


@final
class ByUser(Partition):
    """Every client the same number of the dataset's users, at random, with all their samples.

    The first clients have at most one user more; clients are empty where there are more of them
    than users.  Source: as in Shatter, Section 6.1.
    """

    kind: Literal["by_user"] = "by_user"

    def split(
        self, labels: Int64, clients: int, rng: np.random.Generator, users: Int64 | None = None
    ) -> list[Int64]:
        """As in the base class; Infeasible where it is not known who samples are from."""
        if users is None:
            raise Infeasible(
                "by_user: the dataset does not say who its samples are from; "
                "movielens, sent140 and tiny_shakespeare do",
                *("task", "partition"),
            )
        names, user = np.unique(users, return_inverse=True)
        owner_of_user = np.empty(len(names), np.int64)
        for client, own in enumerate(np.array_split(rng.permutation(len(names)), clients)):
            owner_of_user[own] = client
        return parts_of(owner_of_user[user], clients)
