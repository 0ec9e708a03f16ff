"""Convolutions with normalisation, and residual connections around them."""

from collections.abc import Callable
from typing import Literal

from torch import Tensor, nn

Norm = Literal["batch", "group"]

_GROUPS = 8


def normalised(
    inputs: int, outputs: int, norm: Norm, stride: int = 1, kernel: int = 3
) -> nn.Module:
    """A convolution without bias that keeps the size (at stride 1), and its normalisation."""
    convolution = nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False)
    return nn.Sequential(convolution, _norm(norm)(outputs))


class Residual(nn.Module):
    """outputs(x) + shortcut(x)."""

    def __init__(self, inner: nn.Module, shortcut: nn.Module) -> None:
        super().__init__()
        self.inner = inner
        self.shortcut = shortcut

    def forward(self, x: Tensor) -> Tensor:
        """Both ways, summed."""
        total: Tensor = self.inner(x) + self.shortcut(x)
        return total


def _norm(norm: Norm) -> Callable[[int], nn.Module]:
    if norm == "batch":
        return nn.BatchNorm2d
    return lambda channels: nn.GroupNorm(_GROUPS, channels)
