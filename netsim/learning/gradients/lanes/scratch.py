"""Memory that is used over and over."""

from math import prod

import torch
from torch import Tensor


class Scratch:
    """One tensor a name, of any shape each time: fresh memory of their size would have to be
    cleared by the system again and again."""

    def __init__(self) -> None:
        self._flat: dict[str, Tensor] = {}

    def take(self, name: str, shape: tuple[int, ...]) -> Tensor:
        """A tensor with anything in it; the last one of that name is overwritten."""
        size = prod(shape)
        if name not in self._flat or len(self._flat[name]) < size:
            self._flat[name] = torch.empty(size)
        return self._flat[name][:size].view(shape)
