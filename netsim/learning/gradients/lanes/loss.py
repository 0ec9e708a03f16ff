"""Cross-entropy of all lanes."""

import torch
from torch import Tensor


def cross_entropy(
    outputs_LCB: Tensor, labels_LB: Tensor, weights_LB: Tensor
) -> tuple[Tensor, Tensor]:
    """Each lane's loss, weighted by sample, and the gradient at ``outputs_LCB``."""
    weights_L1B = weights_LB.unsqueeze(1)
    targets_LCB = torch.zeros(outputs_LCB.shape).scatter_(1, labels_LB.unsqueeze(1), weights_L1B)
    logs_LCB = outputs_LCB.log_softmax(1)
    losses_L = -(logs_LCB * targets_LCB).sum((1, 2))
    return losses_L, logs_LCB.exp_().mul_(weights_L1B).sub_(targets_LCB)
