"""Models and their flat parameters."""

from math import sqrt

import pytest
import torch
from torch import nn

from netsim.kernel.streams import Streams
from netsim.learning.errors import Infeasible
from netsim.learning.layout import Layout
from netsim.learning.models import CepamCnn, CepamMlp, LeNet5, Mlp, Model, ResNet9, ResNet18
from netsim.learning.models.initial import initial_model
from netsim.learning.models.pooling import MaxPool2x2
from netsim.learning.signature import Signature

SMALL = Signature((1, 16, 16), 10)
OF_IMAGES = [LeNet5(), Mlp(), CepamCnn(), CepamMlp(), ResNet9(width=8)]


@pytest.mark.parametrize(
    ("model", "shape", "parameters"),
    [
        (LeNet5(), (1, 28, 28), 61706),
        (LeNet5(), (1, 16, 16), 21386),
        (LeNet5(), (3, 32, 32), 83126),
        (LeNet5(), (1, 12, 12), 15626),
        (Mlp(), (1, 28, 28), 50890),
        (Mlp(), (1, 16, 16), 17098),
        (CepamCnn(), (1, 28, 28), 6422),
        (CepamMlp(), (1, 28, 28), 25818),
        (ResNet9(), (3, 32, 32), 1_646_122),
        (ResNet9(norm="group"), (3, 32, 32), 1_646_122),
        (ResNet9(width=8), (1, 8, 8), 103_810),
        (ResNet18(), (3, 32, 32), 11_173_962),
        (ResNet18(norm="group"), (3, 32, 32), 11_173_962),
    ],
)
def test_sizes(model: Model, shape: tuple[int, ...], parameters: int) -> None:
    """The published number of parameters, and one output a class."""
    flat = initial_model(model, Signature(shape, 10), Streams(1))
    assert flat.layout.trained == parameters
    assert flat.module(torch.zeros(2, *shape)).shape == (2, 10)


@pytest.mark.parametrize("shape", [(1, 11, 11), (1, 12, 16), (100,)])
def test_lenet5_needs_square_images(shape: tuple[int, ...]) -> None:
    """Others are refused with their shape."""
    with pytest.raises(Infeasible, match="lenet5 needs square images of 12×12 or more"):
        LeNet5().build(Signature(shape, 10))


@pytest.mark.parametrize("model", [*OF_IMAGES, LeNet5(start="torch"), Mlp(start="torch")])
def test_initial_parameters_come_from_the_seed_alone(model: Model) -> None:
    """Same seed, same bits; torch's global state neither matters nor moves."""
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one = initial_model(model, SMALL, Streams(1)).flat
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(6)
    assert torch.equal(one, initial_model(model, SMALL, Streams(1)).flat)
    assert not torch.equal(one, initial_model(model, SMALL, Streams(2)).flat)


@pytest.mark.parametrize("model", [LeNet5(), Mlp(), CepamCnn(), CepamMlp()])
def test_initial_weights_have_the_variance_of_he(model: Model) -> None:
    """2/fan-in, within 5 standard errors (√(2/m) relative for m weights), and zero biases."""
    flat = initial_model(model, SMALL, Streams(1))
    for weight, bias in zip(flat.parts()[::2], flat.parts()[1::2], strict=True):
        expected = 2 / weight[0].numel()
        assert abs(float(weight.square().mean()) / expected - 1) < 5 * sqrt(2 / weight.numel())
        assert not bias.any()


@pytest.mark.parametrize("model", [LeNet5(start="torch"), ResNet9(start="torch")])
def test_a_network_may_start_as_torch_has_it(model: Model) -> None:
    """Uniform in ±1/√fan-in, of variance 1/(3 fan-in), biases too; 2 % off where there are many."""
    flat = initial_model(model, Signature((3, 32, 32), 10), Streams(1))
    layers = [each for each in flat.module.modules() if isinstance(each, (nn.Conv2d, nn.Linear))]
    for layer in layers:
        bound, weight = 1 / sqrt(layer.weight[0].numel()), layer.weight.detach()
        assert weight.abs().max() <= bound
        if weight.numel() > 10_000:
            assert float(weight.std()) * sqrt(3) == pytest.approx(bound, rel=0.02)
        if layer.bias is not None:
            assert 0 < layer.bias.abs().max() <= bound


def test_parameters_are_views_of_the_flat_vector() -> None:
    """Writing the vector changes the module, in the layout's order."""
    flat = initial_model(Mlp(), SMALL, Streams(1))
    flat.flat.copy_(torch.arange(flat.layout.size))
    state = flat.module.state_dict()
    for name, shape, offset in zip(
        flat.layout.names, flat.layout.shapes, flat.layout.offsets, strict=True
    ):
        assert tuple(state[name].shape) == shape
        assert state[name].flatten()[0] == offset


def test_layout_counts() -> None:
    """Offsets follow from the shapes; a scalar takes one place."""
    layout = Layout.of([("a", (2, 3)), ("b", ())], [("c", (4,))])
    assert (layout.offsets, layout.size, layout.trained) == ((0, 6, 7), 11, 7)


@pytest.mark.parametrize("shape", [(2, 3, 8, 8), (2, 3, 7, 9)])
def test_pooling_with_and_without_gradients_is_the_same(shape: tuple[int, ...]) -> None:
    """Bit for bit that of torch, whichever way it is computed."""
    images = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    expected = torch.nn.functional.max_pool2d(images, 2)
    assert torch.equal(MaxPool2x2()(images), expected)
    with torch.no_grad():
        assert torch.equal(MaxPool2x2()(images), expected)


def test_lenet5_is_the_common_one() -> None:
    """Outputs and gradients of the network as usually written, with pooling after ReLU."""
    flat = initial_model(LeNet5(), SMALL, Streams(1))
    c1, c2, *fc = (module for module in flat.module if list(module.parameters()))
    images = torch.rand(4, 1, 16, 16, generator=torch.Generator().manual_seed(1))
    h = nn.functional.max_pool2d(c1(images).relu(), 2)
    h = nn.functional.max_pool2d(c2(h).relu(), 2).flatten(1)
    usual = fc[2](fc[1](fc[0](h).relu()).relu())
    assert torch.equal(flat.module(images), usual)
    ours, theirs = (
        torch.autograd.grad(outputs.square().sum(), flat.parameters)
        for outputs in (flat.module(images), usual)
    )
    assert all(torch.allclose(a, b, rtol=1e-5) for a, b in zip(ours, theirs, strict=True))
