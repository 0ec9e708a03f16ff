"""Samples of the lanes of a block, as many in each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from netsim.learning.base import Int64

_LINE_BITS = 512


@dataclass(frozen=True)
class Batch:
    """Indices of samples, and how much each counts: ``index_LB`` Int64, ``weights_LB`` Float32."""

    index_LB: Tensor
    weights_LB: Tensor

    def of(self, samples: Tensor) -> Tensor:
        """These of the ``samples`` [S, …], [L, B, …]; not to be written to."""
        index = self.index_LB.flatten()
        first, bits = int(index[0]), samples[0].numel() * samples.element_size() * 8
        stretch = torch.arange(first, first + len(index))
        # A stretch is used where it lies if its samples lie as they would in a copy, since the
        # speed of a product depends on that, and its bits may.
        aligned = (samples.data_ptr() * 8) % _LINE_BITS == 0 == bits % _LINE_BITS
        if aligned and torch.equal(index, stretch):
            rows = samples[first : first + len(index)]
        else:
            rows = samples.index_select(0, index)
        return rows.view(*self.index_LB.shape, *samples.shape[1:])


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
