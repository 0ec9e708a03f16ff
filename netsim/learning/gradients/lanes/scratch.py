"""Memory that is used over and over."""

import threading
from math import prod

import torch
from torch import Tensor


class Scratch:
    """One tensor a name and thread, of any shape each time: fresh memory of their size would
    have to be cleared by the system again and again."""

    def __init__(self) -> None:
        self._own = threading.local()

    def take(self, name: str, shape: tuple[int, ...]) -> Tensor:
        """A tensor with anything in it; the last one of that name is overwritten."""
        flat: Tensor | None = getattr(self._own, name, None)
        size = prod(shape)
        if flat is None or len(flat) < size:
            flat = torch.empty(size)
            setattr(self._own, name, flat)
        return flat[:size].view(shape)
