"""A torch module whose parameters are one flat vector."""

import torch
from torch import Tensor, nn

from netsim.learning.layout import Layout


class FlatModule:
    """A module on the CPU whose parameters are views of ``flat``, Float32[N], in their order.

    Writing to ``flat`` changes the module.
    """

    def __init__(self, module: nn.Module) -> None:
        assert not list(module.buffers()), "buffers have no place in the flat vector"
        named = list(module.named_parameters())
        self.layout = Layout.of((name, tuple(p.shape)) for name, p in named)
        self.flat = torch.zeros(self.layout.size)
        self.module = module.to_empty(device="cpu")
        for (_, parameter), part in zip(module.named_parameters(), self.parts(), strict=True):
            parameter.data = part
        self.parameters = list(module.parameters())

    def parts(self, vectors: Tensor | None = None) -> list[Tensor]:
        """The parameters as views of ``vectors`` Float32[…, N], by default ``flat``."""
        source = self.flat if vectors is None else vectors
        lead = source.shape[:-1]
        sizes = [torch.Size(shape).numel() for shape in self.layout.shapes]
        parts = torch.split(source, sizes, dim=-1)
        return [p.view(*lead, *s) for p, s in zip(parts, self.layout.shapes, strict=True)]
