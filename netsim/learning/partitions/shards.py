"""Pieces of the samples in the order of their labels."""

from typing import Literal, final

import numpy as np
from pydantic import Field

from netsim.learning.base import Int64
from netsim.learning.partitions.base import Partition, parts_of


@final
class Shards(Partition):
    """Samples by label, cut into ``per_client`` equal pieces a client, which are dealt at random.

    So a client has about as many labels as pieces.  Where samples are fewer than pieces some
    pieces are empty.  Source: McMahan et al. 2017, Section 3.
    """

    kind: Literal["shards"] = "shards"
    per_client: int = Field(default=2, ge=1, le=10000)

    def split(
        self, labels: Int64, clients: int, rng: np.random.Generator, users: Int64 | None = None
    ) -> list[Int64]:
        """As in the base class."""
        mixed = rng.permutation(len(labels))
        by_label = mixed[np.argsort(labels[mixed], kind="stable")]
        count = clients * self.per_client
        owner_of_piece = rng.permutation(np.arange(count) // self.per_client)
        piece = np.arange(len(labels)) * count // max(len(labels), 1)
        owners = np.empty(len(labels), np.int64)
        owners[by_label] = owner_of_piece[piece]
        return parts_of(owners, clients)
