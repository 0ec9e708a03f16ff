"""Products of a matrix for each lane, in the form that is fastest for their sizes.

Shapes: L lanes, I numbers in, O numbers out, S columns (samples, or windows of samples).
"""

import torch
from torch import Tensor

_FEW = 8
_SMALL = 4096


def applied(weight_LOI: Tensor, bias_LO: Tensor | None, x_LIS: Tensor) -> Tensor:
    """W x + b, [L, O, S]."""
    if x_LIS.shape[2] > _FEW:
        if bias_LO is None:
            return torch.bmm(weight_LOI, x_LIS)
        return torch.baddbmm(bias_LO.unsqueeze(2), weight_LOI, x_LIS)
    rows_LSO = torch.bmm(x_LIS.mT, weight_LOI.mT)
    return (rows_LSO if bias_LO is None else rows_LSO.add_(bias_LO.unsqueeze(1))).mT


def at_input(weight_LOI: Tensor, dy_LOS: Tensor) -> Tensor:
    """The gradient at x, Wᵀ dy, [L, I, S]; laid out as `applied` lays out its result."""
    if dy_LOS.shape[2] > _FEW:
        return torch.bmm(weight_LOI.mT, dy_LOS)
    return torch.bmm(dy_LOS.mT, weight_LOI).mT


def at_weight(dy_LOS: Tensor, x_LIS: Tensor, into_LOI: Tensor) -> None:
    """Writes the gradient at W, dy xᵀ; ``into_LOI`` lies in the rows of a larger tensor."""
    if into_LOI[0].numel() > _SMALL:
        torch.bmm(dy_LOS, x_LIS.mT, out=into_LOI)
    else:
        # What is written to rows that are apart is computed lane by lane, and that costs more.
        into_LOI.copy_(torch.bmm(dy_LOS, x_LIS.mT))
