"""Gradients of both computing modes against plain autograd."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from netsim.kernel.streams import Streams
from netsim.learning.datasets import Digits
from netsim.learning.flat import FlatModule
from netsim.learning.gradients import Gradients, Problem, choose
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.stacked import Stacked
from netsim.learning.models import CepamCnn, CepamMlp, LeNet5, Mlp, Model
from netsim.learning.models.initial import initial_model
from netsim.learning.objectives import Classification

MODELS = [LeNet5(), Mlp(), CepamCnn(), CepamMlp()]
ROWS = [np.arange(5), None, np.array([7, 100, 1000]), np.arange(20, 40)]


def problem(model: Model) -> Problem:
    data = Digits().load()
    flat = initial_model(model, data.signature, Streams(1))
    inputs, labels = torch.from_numpy(data.train_inputs), torch.from_numpy(data.train_labels)
    return Problem(flat, inputs, labels, Classification())


def plain_gradient(
    flat: FlatModule, params: torch.Tensor, it: Problem, row: np.ndarray
) -> torch.Tensor:
    flat.flat.copy_(params)
    flat.module.zero_grad()
    index = torch.from_numpy(row)
    cross_entropy(flat.module(it.inputs[index]), it.labels[index]).backward()
    return torch.cat([p.grad.flatten() for p in flat.module.parameters()])


def relative(a: torch.Tensor, b: torch.Tensor) -> float:
    return float((a - b).norm() / b.norm())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("mode", ["loop", "stacked"])
def test_gradients_are_those_of_autograd(model: Model, mode: str) -> None:
    """To a relative 1e-6, with ragged batches, an empty lane and each client's own parameters."""
    it = problem(model)
    lanes = len(ROWS)
    noise = torch.randn(lanes, it.model.layout.size, generator=torch.Generator().manual_seed(3))
    params_WN = it.model.flat + 0.01 * noise
    if mode == "stacked":
        result = Stacked(it, lanes, batch=20)(params_WN, ROWS).gradients_WN
    else:
        loop = Loop(it)
        result = torch.stack(
            [
                torch.zeros(it.model.layout.size)
                if row is None
                else loop(params_WN[lane : lane + 1], [row]).gradients_WN[0]
                for lane, row in enumerate(ROWS)
            ]
        )
    other = problem(model)
    for lane, row in enumerate(ROWS):
        if row is not None:
            expected = plain_gradient(other.model, params_WN[lane], other, row)
            assert relative(result[lane], expected) <= 1e-6


@pytest.mark.parametrize("model", MODELS)
def test_modes_agree_on_losses(model: Model) -> None:
    """The mean cross-entropy over a client's own samples, padding left out."""
    it = problem(model)
    row = np.arange(5)
    params_WN = it.model.flat.clone()[None]
    looped = Loop(it)(params_WN, [row]).losses_W
    stacked = Stacked(it, 1, batch=30)(params_WN, [row]).losses_W
    assert torch.allclose(looped, stacked, rtol=1e-6)


@pytest.mark.parametrize(
    ("clients", "batch", "limit", "mode", "width"),
    [
        (10, 16, 4096, Stacked, 10),
        (10, 17, 4096, Loop, 1),
        (11, 16, 4096, Stacked, 6),
        (50, 1, 4096, Stacked, 10),
        (1, 1, 4096, Stacked, 1),
    ],
)
def test_the_mode_follows_from_the_task(
    clients: int, batch: int, limit: int, mode: type[Gradients], width: int
) -> None:
    """Numbers of a batch (16·16 a sample) up to the model's limit are stacked, in equal blocks."""
    chosen = choose(problem(LeNet5()), clients, batch, limit)
    assert (type(chosen), chosen.width) == (mode, width)
