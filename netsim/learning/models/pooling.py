"""Max-pooling."""

import torch
from torch import Tensor, nn
from torch.nn.functional import max_pool2d


class MaxPool2x2(nn.Module):
    """The maximum of each square of 2×2; an odd last row or column is left out.

    Where no gradients are wanted, halves are compared, which is some three times as fast as
    ``max_pool2d`` on a CPU and gives the same values; with gradients it would be slower.
    """

    def forward(self, images: Tensor) -> Tensor:
        """Images [..., height, width] at half their size."""
        if torch.is_grad_enabled():
            return max_pool2d(images, 2)
        height, width = (side // 2 * 2 for side in images.shape[-2:])
        even = images[..., :height, :width]
        rows = torch.maximum(even[..., ::2, :], even[..., 1::2, :])
        return torch.maximum(rows[..., ::2], rows[..., 1::2])
