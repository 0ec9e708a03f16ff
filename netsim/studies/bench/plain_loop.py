"""The peer of learning: federated averaging as a plain loop over clients in PyTorch."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy


class PlainLoop:
    """One model, loaded with the global state for each client in turn, and ``torch.optim.SGD``.

    ``clients`` are the inputs and labels of each; all weigh the same.
    """

    def __init__(
        self, module: nn.Module, clients: Sequence[tuple[Tensor, Tensor]], lr: float
    ) -> None:
        self._module = module
        self._clients = clients
        self._lr = lr
        self._state = _copied(module)

    def round(self) -> None:
        """Every client takes a step on all its samples; the mean of their states is the next."""
        mean = {name: torch.zeros(value.shape) for name, value in self._state.items()}
        for inputs, labels in self._clients:
            self._module.load_state_dict(self._state)
            optimiser = torch.optim.SGD(self._module.parameters(), self._lr)
            optimiser.zero_grad()
            torch.autograd.backward(cross_entropy(self._module(inputs), labels))
            optimiser.step()
            for name, value in self._module.state_dict().items():
                mean[name] += value / len(self._clients)
        self._state = mean

    def gradients(self) -> list[Tensor]:
        """Each client's gradient at the global state, as one vector."""
        self._module.load_state_dict(self._state)
        parameters = list(self._module.parameters())
        vectors = []
        for inputs, labels in self._clients:
            loss = cross_entropy(self._module(inputs), labels)
            parts = torch.autograd.grad(loss, parameters)
            vectors.append(torch.cat([part.flatten() for part in parts]))
        return vectors


def _copied(module: nn.Module) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in module.state_dict().items()}
