"""A convolution as a matrix product."""

from collections.abc import Sequence
from typing import final

import torch
from torch import Tensor, nn

from netsim.learning.gradients.lanes.base import Backward, Layer
from netsim.learning.gradients.lanes.linear import Linear
from netsim.learning.gradients.lanes.scratch import Scratch
from netsim.learning.layout import Shape

_WIDE = 16


@final
class Convolution(Layer):
    """The windows of every image side by side, times the kernels.

    Windows take kernel² times an image's memory, which pays for few channels only.
    """

    def __init__(self, module: nn.Conv2d, shape: Shape, padding: tuple[int, ...]) -> None:
        self._channels, self._kernel = module.in_channels, module.kernel_size
        self._stride, self._padding = module.stride, padding
        self._padded = [n + 2 * p for n, p in zip(shape[1:], padding, strict=True)]
        sides = zip(self._padded, module.kernel_size, module.stride, strict=True)
        self._sides = [(n - k) // s + 1 for n, k, s in sides]
        self.shape = (module.out_channels, *self._sides)
        height, width = self._kernel
        self._rows = self._channels * height * width
        self.numbers = self._rows * self._sides[0] * self._sides[1]
        self._scratch = Scratch()
        self._product = Linear((module.out_channels,), 1 + (module.bias is not None))
        self.parameters = self._product.parameters

    @staticmethod
    def of(module: nn.Conv2d, shape: Shape) -> "Convolution | None":
        """None for a convolution that is not plain, or wide."""
        padding = module.padding
        plain = (module.groups, module.dilation, module.padding_mode) == (1, (1, 1), "zeros")
        if isinstance(padding, str) or not plain or module.in_channels >= _WIDE:
            return None
        return Convolution(module, shape, padding) if len(shape) == 3 else None

    def forward(self, x: Tensor, weights: Sequence[Tensor]) -> tuple[Tensor, Backward]:
        """As in the base class: x [L, channels, height, width, B]."""
        lanes, samples = len(x), x.shape[-1]
        padded = self._with_border(x)
        each = self._windows(padded)
        windows = self._scratch.take("windows", tuple(each.shape)).copy_(each)
        weight, *bias = weights
        matrix = weight.view(lanes, len(weight[0]), self._rows)
        y, product = self._product.forward(windows.view(lanes, self._rows, -1), [matrix, *bias])

        def backward(dy: Tensor, gradients: Sequence[Tensor], further: bool) -> Tensor | None:
            weight, *bias = gradients
            flat = [weight.view(matrix.shape), *bias]
            at_windows = product(dy.reshape(lanes, dy.shape[1], -1), flat, further)
            return None if at_windows is None else self._gathered(at_windows, padded)

        return y.view(lanes, *self.shape, samples), backward

    def _with_border(self, x: Tensor) -> Tensor:
        if not any(self._padding):
            return x
        lanes, channels, *_, samples = x.shape
        padded = self._scratch.take("padded", (lanes, channels, *self._padded, samples)).zero_()
        self._inside(padded).copy_(x)
        return padded

    def _inside(self, padded: Tensor) -> Tensor:
        (top, left), (height, width) = self._padding, padded.shape[2:4]
        return padded[:, :, top : height - top, left : width - left]

    def _windows(self, padded: Tensor) -> Tensor:
        """A view [L, channels, kernel, kernel, height, width, B] of all windows."""
        lanes, channels, *_, samples = padded.shape
        lane, channel, row, column, sample = padded.stride()
        down, right = self._stride
        shape = (lanes, channels, *self._kernel, *self._sides, samples)
        strides = (lane, channel, row, column, row * down, column * right, sample)
        return padded.as_strided(shape, strides)

    def _gathered(self, at_windows: Tensor, padded: Tensor) -> Tensor:
        """For each pixel the sum over the windows it is in."""
        sums = torch.zeros_like(padded)
        parts = at_windows.view(self._windows(padded).shape)
        (down, right), (height, width) = self._stride, self._sides
        for i in range(self._kernel[0]):
            rows = slice(i, i + down * (height - 1) + 1, down)
            for j in range(self._kernel[1]):
                columns = slice(j, j + right * (width - 1) + 1, right)
                sums[:, :, rows, columns] += parts[:, :, i, j]
        return self._inside(sums)
