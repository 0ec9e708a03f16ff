"""Samples of each class dealt out in random proportions."""

from typing import Literal, final

import numpy as np
import numpy.typing as npt
from pydantic import Field

from netsim.learning.base import Int64
from netsim.learning.errors import Infeasible
from netsim.learning.partitions.base import Partition, parts_of


@final
class Dirichlet(Partition):
    """Each class is divided among the clients in proportions drawn from Dirichlet(α, …, α).

    Small α gives clients few classes and uneven numbers of samples, some none at all. Clients
    with less than ``min_samples`` then get single samples from whoever holds most. Source:
    Yurochkin et al., ICML 2019, arXiv:1905.12022.
    """

    kind: Literal["dirichlet"] = "dirichlet"
    alpha: float = Field(gt=0)
    min_samples: int = Field(default=0, ge=0)

    def split(
        self, labels: Int64, clients: int, rng: np.random.Generator, users: Int64 | None = None
    ) -> list[Int64]:
        """As in the base class; Infeasible if ``min_samples`` asks for more than there is."""
        if clients * self.min_samples > len(labels):
            raise Infeasible(
                f"{clients} clients with {self.min_samples} samples each "
                f"need {clients * self.min_samples}, the dataset has {len(labels)}",
                *("task", "partition", "min_samples"),
            )
        owners = np.empty(len(labels), np.int64)
        for label in np.unique(labels):
            members = rng.permutation(np.flatnonzero(labels == label))
            owners[members] = _shares(_proportions(self.alpha, clients, rng), len(members))
        self._fill(owners, clients, rng)
        return parts_of(owners, clients)

    def _fill(self, owners: Int64, clients: int, rng: np.random.Generator) -> None:
        """Moves one sample at a time from the client with most to one with too few, in place."""
        counts = np.bincount(owners, minlength=clients)
        for client in np.flatnonzero(counts < self.min_samples):
            while counts[client] < self.min_samples:
                giver = np.argmax(counts)
                owners[rng.choice(np.flatnonzero(owners == giver))] = client
                counts[giver] -= 1
                counts[client] += 1


def _proportions(alpha: float, clients: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Float64[K] from Dirichlet(α, …, α), finite for every α.

    Gamma(α) is drawn as Gamma(α + 1) · U^(1/α), in logarithms: it underflows for small α.
    """
    alpha = min(max(alpha, 1e-300), 1e300)  # beyond these its logarithms overflow
    logs = np.log(rng.standard_gamma(alpha + 1, clients))
    logs += np.log1p(-rng.random(clients)) / alpha
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum(), np.float64)


def _shares(proportions: npt.NDArray[np.float64], count: int) -> Int64:
    """The owners Int64[count], ascending, of ``count`` samples."""
    ends = np.rint(np.cumsum(proportions) * count).astype(np.int64)
    ends[-1] = count
    return np.repeat(np.arange(len(proportions)), np.diff(ends, prepend=0))
