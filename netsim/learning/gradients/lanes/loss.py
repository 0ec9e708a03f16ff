"""Cross-entropy of all lanes."""

import torch
from torch import Tensor


def cross_entropy(
    outputs_LCB: Tensor, labels_LB: Tensor, weights_LB: Tensor
) -> tuple[Tensor, Tensor]:
    """Each lane's loss, weighted by sample, and the gradient at ``outputs_LCB``."""
    logs_LCB = outputs_LCB.log_softmax(1)
    labels_L1B, weights_L1B = labels_LB.unsqueeze(1), weights_LB.unsqueeze(1)
    losses_L = -(logs_LCB.gather(1, labels_L1B) * weights_L1B).sum((1, 2))
    at_outputs = logs_LCB.exp_()
    at_outputs.scatter_add_(1, labels_L1B, torch.full_like(weights_L1B, -1))
    return losses_L, at_outputs.mul_(weights_L1B)
