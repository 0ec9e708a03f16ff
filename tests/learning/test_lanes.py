"""Layers of many lanes against torch's own."""

import pytest
import torch
from torch import nn

from netsim.learning.gradients.lanes import layers_of
from netsim.learning.models.pooling import MaxPool2x2

LANES, SAMPLES = 3, 5
CASES = {
    "linear": (nn.Linear(6, 4), (6,)),
    "linear without bias": (nn.Linear(6, 4, bias=False), (6,)),
    "convolution": (nn.Conv2d(2, 3, 3), (2, 7, 6)),
    "padded": (nn.Conv2d(2, 3, (3, 5), padding=(1, 2)), (2, 7, 6)),
    "strided": (nn.Conv2d(2, 3, 3, stride=(2, 3), padding=1, bias=False), (2, 8, 9)),
    "pooling": (MaxPool2x2(), (2, 6, 4)),
    "pooling of odd sides": (MaxPool2x2(), (2, 7, 5)),
    "relu": (nn.ReLU(), (2, 3)),
    "flatten": (nn.Flatten(), (2, 3, 4)),
    "all in a row": (
        nn.Sequential(
            nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), MaxPool2x2(), nn.ReLU()),
            nn.Flatten(),
            nn.Linear(36, 5),
        ),
        (1, 7, 6),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("samples", [1, SAMPLES, 300])
def test_layers_are_those_of_torch(name: str, samples: int) -> None:
    """Outputs, gradients at the input and at each lane's parameters."""
    module, shape = CASES[name]
    layers = layers_of(module, shape)
    assert layers is not None
    torch.manual_seed(5)
    x_LB = torch.randn(LANES, samples, *shape).relu()
    weights = [[torch.randn(p.shape) for p in module.parameters()] for _ in range(LANES)]
    stacked = [torch.stack(parts) for parts in zip(*weights, strict=True)]
    gradients = [torch.empty(part.shape) for part in stacked]
    y, at, backwards = x_LB.movedim(1, -1), 0, []
    for layer in layers:
        mine = slice(at, at := at + layer.parameters)
        y, backward = layer.forward(y, stacked[mine])
        assert tuple(y.shape[1:-1]) == layer.shape
        backwards.append((backward, gradients[mine]))
    at_y = torch.randn(y.shape)
    at_x = at_y
    for backward, into in reversed(backwards):
        at_x = backward(at_x, into, True)
    for lane in range(LANES):
        x = x_LB[lane].requires_grad_()
        named = dict(zip(dict(module.named_parameters()), weights[lane], strict=True))
        own = {name: part.requires_grad_() for name, part in named.items()}
        expected = torch.func.functional_call(module, own, (x,))
        torch.testing.assert_close(y[lane].movedim(-1, 0), expected)
        wanted = torch.autograd.grad(expected, [x, *own.values()], at_y[lane].movedim(-1, 0))
        found = [at_x[lane].movedim(-1, 0), *(part[lane] for part in gradients)]
        for ours, theirs in zip(found, wanted, strict=True):
            assert (ours - theirs).norm() <= 1e-5 * theirs.norm()


@pytest.mark.parametrize(
    ("module", "shape"),
    [
        (nn.Conv2d(16, 4, 3), (16, 6, 6)),
        (nn.Conv2d(2, 4, 3, groups=2), (2, 6, 6)),
        (nn.Conv2d(2, 4, 3, dilation=2), (2, 6, 6)),
        (nn.Conv2d(2, 4, 3, padding="same"), (2, 6, 6)),
        (nn.Conv2d(2, 4, 3, padding=1, padding_mode="circular"), (2, 6, 6)),
        (nn.Linear(6, 4), (3, 6)),
        (nn.Flatten(2), (3, 6)),
        (nn.Sigmoid(), (6,)),
        (nn.Sequential(nn.ReLU(), nn.Dropout(0.5)), (6,)),
        (nn.Sequential(*[nn.Linear(6, 6)] * 2), (6,)),
    ],
)
def test_other_layers_are_left_to_others(module: nn.Module, shape: tuple[int, ...]) -> None:
    """Wide, grouped, dilated or oddly padded convolutions, layers of other kinds or with other
    inputs, and layers that share their parameters."""
    assert layers_of(module, shape) is None


def test_a_layer_changed_by_its_owner_is_not_ours() -> None:
    """A subclass may do anything."""

    class Doubled(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return 2 * super().forward(x)

    assert layers_of(Doubled(6, 4), (6,)) is None
