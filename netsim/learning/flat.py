"""A torch module whose parameters and running statistics are one flat vector."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd

from netsim.learning.base import Float32
from netsim.learning.errors import ModelFailed
from netsim.learning.layout import Layout


class FlatModule:
    """A module on the CPU whose state is a view of ``flat``, Float32[N].

    First come the parameters in their order, then the running statistics: buffers of real
    numbers that are saved with the module.  Other buffers start anew with each ``load``.
    ``by_chance``: outputs may depend on torch's random state; ``lone``: for that, or as they
    depend on the other samples of a batch, clients cannot share a batched computation.  A
    ``foreign`` module is a user's own: it may do anything, and leave anything to chance.
    """

    def __init__(self, module: nn.Module, foreign: bool = False) -> None:
        parameters = list(module.named_parameters())
        statistics = list(buffers(module, statistics=True))
        self.layout = Layout.of(
            ((name, tuple(p.shape)) for name, p in parameters),
            [(full, tuple(buffer.shape)) for full, _, _, buffer in statistics],
        )
        self.flat = torch.zeros(self.layout.size)
        self._sizes = [prod(shape) for shape in self.layout.shapes]
        self.module = module
        parts = self.parts()
        for (_, parameter), part in zip(parameters, parts[: len(parameters)], strict=True):
            part.copy_(parameter.data)
            parameter.data = part
        for (_, owner, name, buffer), part in zip(
            statistics, parts[len(parameters) :], strict=True
        ):
            part.copy_(buffer.detach())
            owner._buffers[name] = part
        self.parameters = [parameter for _, parameter in parameters]
        self._foreign = foreign
        self.by_chance = foreign or any(map(_is_random, module.modules()))
        mixed = any(isinstance(each, _BatchNorm) for each in module.modules())
        self.lone = self.by_chance or mixed or bool(statistics)
        self._variances = [
            each.running_var
            for each in module.modules()
            if isinstance(each, _BatchNorm) and each.running_var is not None
        ]
        self._others = [
            (owner, name, buffer.clone())
            for _, owner, name, buffer in buffers(module, statistics=False)
        ]

    @property
    def statistics(self) -> Tensor:
        """The running statistics, a view of the end of ``flat``."""
        return self.flat[self.layout.trained :]

    def load(self, vector: Float32) -> None:
        """Makes Float32[N] the module's state.

        A running variance below zero, as noise or sparse updates may leave one, counts as zero.
        """
        self.flat.numpy()[:] = vector
        for variance in self._variances:
            variance.clamp_(min=0)
        for owner, name, value in self._others:
            owner._buffers[name] = value.clone()

    def parts(self, vectors: Tensor | None = None) -> list[Tensor]:
        """Parameters and statistics as views of ``vectors`` Float32[…, N], by default ``flat``."""
        source = self.flat if vectors is None else vectors
        lead = source.shape[:-1]
        parts = source.split_with_sizes(self._sizes, -1)
        return [p.view((*lead, *s)) for p, s in zip(parts, self.layout.shapes, strict=True)]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Whatever a foreign module raises meanwhile, or makes others raise, is ModelFailed."""
        try:
            yield
        except (Exception, SystemExit) as error:
            if not self._foreign:
                raise
            raise ModelFailed(error) from error


def buffers(module: nn.Module, statistics: bool) -> Iterator[tuple[str, nn.Module, str, Tensor]]:
    """Full name, owner, its name there and value of each buffer that is a running statistic, or
    of each other one."""
    for path, owner in module.named_modules():
        for name, buffer in owner.named_buffers(recurse=False):
            saved = name not in owner._non_persistent_buffers_set
            if (saved and buffer.is_floating_point()) == statistics:
                yield f"{path}.{name}".lstrip("."), owner, name, buffer


def _is_random(module: nn.Module) -> bool:
    return isinstance(module, _DropoutNd) and module.p > 0
