"""Models and their flat parameters."""

from math import sqrt

import pytest
import torch

from netsim.kernel.streams import Streams
from netsim.learning.errors import Infeasible
from netsim.learning.layout import Layout
from netsim.learning.models import MODELS, LeNet5, Mlp, Model
from netsim.learning.models.initial import initial_model


@pytest.mark.parametrize(
    ("model", "shape", "parameters"),
    [
        (LeNet5(), (1, 28, 28), 61706),
        (LeNet5(), (1, 16, 16), 21386),
        (LeNet5(), (3, 32, 32), 83126),
        (LeNet5(), (1, 12, 12), 15626),
        (Mlp(), (1, 28, 28), 50890),
        (Mlp(), (1, 16, 16), 17098),
    ],
)
def test_sizes(model: Model, shape: tuple[int, ...], parameters: int) -> None:
    """The published number of parameters, and one output a class."""
    flat = initial_model(model, shape, 10, Streams(1))
    assert flat.layout.size == parameters
    assert flat.module(torch.zeros(2, *shape)).shape == (2, 10)


@pytest.mark.parametrize("shape", [(1, 11, 11), (1, 12, 16), (100,)])
def test_lenet5_needs_square_images(shape: tuple[int, ...]) -> None:
    """Others are refused with their shape."""
    with pytest.raises(Infeasible, match="lenet5 needs square images of 12×12 or more"):
        LeNet5().build(shape, 10)


@pytest.mark.parametrize("model", MODELS)
def test_initial_parameters_come_from_the_seed_alone(model: Model) -> None:
    """Same seed, same bits; torch's global state neither matters nor moves."""
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one = initial_model(model, (1, 16, 16), 10, Streams(1)).flat
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(6)
    assert torch.equal(one, initial_model(model, (1, 16, 16), 10, Streams(1)).flat)
    assert not torch.equal(one, initial_model(model, (1, 16, 16), 10, Streams(2)).flat)


@pytest.mark.parametrize("model", MODELS)
def test_initial_weights_have_the_variance_of_he(model: Model) -> None:
    """2/fan-in, within 5 standard errors (√(2/m) relative for m weights), and zero biases."""
    flat = initial_model(model, (1, 16, 16), 10, Streams(1))
    for weight, bias in zip(flat.parts()[::2], flat.parts()[1::2], strict=True):
        expected = 2 / weight[0].numel()
        assert abs(float(weight.square().mean()) / expected - 1) < 5 * sqrt(2 / weight.numel())
        assert not bias.any()


def test_parameters_are_views_of_the_flat_vector() -> None:
    """Writing the vector changes the module, in the layout's order."""
    flat = initial_model(Mlp(), (1, 16, 16), 10, Streams(1))
    flat.flat.copy_(torch.arange(flat.layout.size))
    state = flat.module.state_dict()
    for name, shape, offset in zip(
        flat.layout.names, flat.layout.shapes, flat.layout.offsets, strict=True
    ):
        assert tuple(state[name].shape) == shape
        assert state[name].flatten()[0] == offset


def test_layout_counts() -> None:
    """Offsets follow from the shapes; a scalar takes one place."""
    layout = Layout.of([("a", (2, 3)), ("b", ()), ("c", (4,))])
    assert (layout.offsets, layout.size) == ((0, 6, 7), 11)
