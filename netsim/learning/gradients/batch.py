"""Samples of the lanes of a block, as many in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from netsim.learning.base import Int64

_LINE = 64


@dataclass(frozen=True)
class Batch:
    """Indices of samples, and how much each counts: ``index_LB`` Int64, ``weights_LB`` Float32."""

    index_LB: Tensor
    weights_LB: Tensor

    def of(self, samples: Tensor) -> Tensor:
        """These of the ``samples`` [S, …], [L, B, …]; not to be written to."""
        # A stretch is used where it lies if its samples lie as they would in a copy, since the
        # speed of a product depends on that, and its bits may.
        line = samples.stride(0) * samples.element_size()
        aligned = samples.data_ptr() % _LINE == 0 == line % _LINE
        if aligned and self._stretch is not None:
            rows = samples[self._stretch]
        else:
            rows = samples.index_select(0, self.index_LB.flatten())
        return rows.view(*self.index_LB.shape, *samples.shape[1:])

    @cached_property
    def _stretch(self) -> slice | None:
        """Where all samples lie one after the other."""
        index = self.index_LB.flatten()
        first = int(index[0])
        after = first + len(index)
        return slice(first, after) if torch.equal(index, torch.arange(first, after)) else None


def padded(rows: Sequence[Int64 | None], batch: int) -> Batch:
    """Each lane's samples with equal weights, filled up to ``batch`` by its first one, which
    then counts nothing; in an empty lane nothing counts."""
    full = [row for row in rows if row is not None and len(row) == batch]
    if len(full) == len(rows):
        weights_LB = torch.full((len(rows), batch), 1 / batch)
        return Batch(torch.from_numpy(np.stack(full)), weights_LB)
    index_LB = torch.zeros(len(rows), batch, dtype=torch.int64)
    weights_LB = torch.zeros(len(rows), batch)
    index, weights = index_LB.numpy(), weights_LB.numpy()
    for lane, row in enumerate(rows):
        if row is not None:
            index[lane] = row[0]
            index[lane, : len(row)] = row
            weights[lane, : len(row)] = 1 / len(row)
    return Batch(index_LB, weights_LB)


def pieces(row: Int64, most: int) -> list[Batch]:
    """One lane's samples in as few batches of at most ``most`` as there can be, of equal sizes
    up to one sample."""
    count = -(-len(row) // most)
    parts = torch.tensor_split(torch.from_numpy(row), count)
    return [Batch(part[None], torch.full((1, len(part)), 1 / len(row))) for part in parts]
