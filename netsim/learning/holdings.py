"""Who holds which samples, for training and for validation."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.base import Int64
from netsim.learning.config import TaskConfig
from netsim.learning.datasets.base import Data
from netsim.learning.errors import Infeasible


@dataclass(frozen=True)
class Holdings:
    """For each client the ascending indices of its samples: ``training``, and ``held_out``."""

    training: Sequence[Int64]
    held_out: Sequence[Int64]

    @property
    def samples(self) -> Int64:
        """Int64[K]: how many each client trains on."""
        return np.array([len(part) for part in self.training], np.int64)


def client_parts(config: TaskConfig, data: Data, clients: int, streams: Streams) -> Holdings:
    """The parts of a task's clients; raises Infeasible.

    A client keeps at most ``samples_per_client`` of its part, at random, and holds out a share
    ``holdout`` of these, rounded down.
    """
    parts = config.partition.split(data.strata, clients, streams.rng("partition"), data.users)
    most, total = config.samples_per_client, len(data.train_labels)
    if most is not None:
        if most * clients > total:
            raise Infeasible(
                f"{clients} clients with {most} samples each need "
                f"{most * clients}, the dataset has {total}",
                *("task", "samples_per_client"),
            )
        parts = [_some(most, part, streams.rng("subset", k)) for k, part in enumerate(parts)]
    held_out = [
        _some(_share(config.holdout, len(part)), part, streams.rng("holdout", k))
        for k, part in enumerate(parts)
    ]
    if config.holdout > 0 and not any(map(len, held_out)):
        most_held = max(map(len, parts))
        raise Infeasible(
            f"{config.holdout} of {most_held} samples, which a client has at most, is none",
            *("task", "holdout"),
        )
    training = [
        np.setdiff1d(part, out, assume_unique=True)
        for part, out in zip(parts, held_out, strict=True)
    ]
    return Holdings(training, held_out)


def _share(share: float, count: int) -> int:
    """``share`` of ``count`` rounded down, the share taken as the decimal it was written as."""
    return int(Fraction(repr(share)) * count)


def _some(most: int, part: Int64, rng: np.random.Generator) -> Int64:
    return np.sort(rng.choice(part, most, replace=False)) if len(part) > most else part
