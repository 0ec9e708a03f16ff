"""Products of a matrix for each lane, by numpy or torch, whichever is faster at their sizes.

Shapes: L lanes, I numbers in, O numbers out, S columns (samples, or windows of samples); of any
product R rows and C columns, of sums over K.
"""

from functools import partial
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from netsim.learning.base import Float32
from netsim.learning.threads import side_by_side

_FEW = 32
_LITTLE = 1 << 20
_A_PART = 8_000_000
"""Multiplications that are worth waking a thread for."""


def applied(weight_LOI: Tensor, bias_LO: Tensor | None, x_LIS: Tensor) -> Tensor:
    """W x + b, [L, O, S]."""
    bias_LO1 = None if bias_LO is None else bias_LO.unsqueeze(2)
    if _is_large(weight_LOI, x_LIS):
        if bias_LO1 is None:
            return torch.bmm(weight_LOI, x_LIS)
        return torch.baddbmm(bias_LO1, weight_LOI, x_LIS)
    y_LOS = torch.empty(*weight_LOI.shape[:2], x_LIS.shape[2])
    _multiply(weight_LOI, x_LIS, y_LOS)
    return y_LOS if bias_LO1 is None else y_LOS.add_(bias_LO1)


def at_input(weight_LOI: Tensor, dy_LOS: Tensor) -> Tensor:
    """The gradient at x, Wᵀ dy, [L, I, S]."""
    if _is_large(weight_LOI, dy_LOS):
        return torch.bmm(weight_LOI.mT, dy_LOS)
    dx_LIS = torch.empty(len(dy_LOS), weight_LOI.shape[2], dy_LOS.shape[2])
    _multiply(weight_LOI.mT, dy_LOS, dx_LIS)
    return dx_LIS


def at_weight(dy_LOS: Tensor, x_LIS: Tensor, into_LOI: Tensor) -> None:
    """Writes the gradient at W, dy xᵀ; ``into_LOI`` may lie in the rows of a larger tensor."""
    if x_LIS.shape[2] == 1:
        torch.mul(dy_LOS, x_LIS.mT, out=into_LOI)
    elif _is_large(into_LOI, x_LIS):
        torch.bmm(dy_LOS, x_LIS.mT, out=into_LOI)
    else:
        _multiply(dy_LOS, x_LIS.mT, into_LOI)


def _is_large(weight_LOI: Tensor, x_LS: Tensor) -> bool:
    """Whether torch is faster, by one lane's sizes: others' never show in its bits."""
    columns = x_LS.shape[2]
    return columns > _FEW and weight_LOI[0].numel() * columns > _LITTLE


def _multiply(a_LRK: Tensor, b_LKC: Tensor, into_LRC: Tensor) -> None:
    a, b, into = a_LRK.numpy(), b_LKC.numpy(), into_LRC.numpy()
    parts = min(len(a), a.size * b.shape[2] // _A_PART)
    if parts <= 1:
        _product(a, b, into, slice(None))
        return
    ends = [len(a) * each // parts for each in range(parts + 1)]
    side_by_side([partial(_product, a, b, into, slice(*ends)) for ends in pairwise(ends)])


def _product(a: Float32, b: Float32, into: Float32, lanes: slice) -> None:
    # What is too large for float32 is no news here: an update that is not finite is found whole.
    with np.errstate(over="ignore", invalid="ignore"):
        np.matmul(a[lanes], b[lanes], out=into[lanes])
