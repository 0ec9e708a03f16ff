"""Gradients of every strategy against plain autograd, and which strategy a task takes."""

from dataclasses import replace
from typing import ClassVar, Literal, get_args

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.datasets import Digits
from netsim.learning.errors import Infeasible
from netsim.learning.flat import FlatModule
from netsim.learning.gradients import STRATEGIES, Gradients, Load, Problem, choose
from netsim.learning.gradients.batch import Batch
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.products import Products
from netsim.learning.gradients.shared import Shared
from netsim.learning.gradients.stacked import Stacked
from netsim.learning.models import CepamCnn, CepamMlp, LeNet5, Mlp, Model
from netsim.learning.models.initial import initial_model
from netsim.learning.objectives import Classification, Rating
from netsim.learning.signature import Signature

MODELS = [LeNet5(), Mlp(), CepamCnn(), CepamMlp()]
ROWS = [np.arange(5), None, np.array([7, 100, 1000]), np.arange(20, 40)]
LOAD = Load(np.array([5, 20, 3, 20]))


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


def computed(
    strategy: type[Gradients], it: Problem, params_WN: torch.Tensor, rows: list[np.ndarray | None]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Gradients and losses of the lanes, computed in blocks of the strategy's own width."""
    gradients = strategy.of(it, LOAD)
    assert gradients is not None
    found, losses = torch.zeros(len(rows), params_WN.shape[1]), torch.zeros(len(rows))
    for at in range(0, len(rows), gradients.width):
        lanes = slice(at, at + gradients.width)
        if any(row is not None for row in rows[lanes]):
            found[lanes], losses[lanes], _ = gradients(params_WN[lanes], rows[lanes])
    return found, losses


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("start", ["own", "alike", "one"])
def test_gradients_are_those_of_autograd(
    model: Model, strategy: type[Gradients], start: str
) -> None:
    """To a relative 1e-6, with ragged batches and an empty lane; each client at parameters of
    its own, two at the same ones, or all sharing the memory of one vector."""
    it = problem(model)
    lanes, n = len(ROWS), it.model.layout.size
    noise = torch.randn(lanes, n, generator=torch.Generator().manual_seed(3))
    params_WN = it.model.flat + 0.01 * noise
    if start == "alike":
        params_WN[2] = params_WN[0]
    if start == "one":
        params_WN = params_WN[:1].expand(lanes, -1)
    gradients_WN, _ = computed(strategy, it, params_WN, ROWS)
    other = problem(model)
    for lane, row in enumerate(ROWS):
        if row is not None:
            expected = plain_gradient(other.model, params_WN[lane], other, row)
            assert relative(gradients_WN[lane], expected) <= 1e-6


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_losses_are_means_over_a_client_s_samples(model: Model, strategy: type[Gradients]) -> None:
    """Padding is left out."""
    it = problem(model)
    params_WN = it.model.flat.clone().expand(len(ROWS), -1)
    _, losses_W = computed(strategy, it, params_WN, ROWS)
    for lane, row in enumerate(ROWS):
        if row is not None:
            index = torch.from_numpy(row)
            expected = cross_entropy(it.model.module(it.inputs[index]), it.labels[index])
            assert losses_W[lane] == pytest.approx(expected.item(), rel=1e-6)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_samples_of_nobody_do_not_count(strategy: type[Gradients]) -> None:
    """Were they not even numbers: batches are filled up with their own."""
    it = problem(LeNet5())
    mine = np.concatenate([row for row in ROWS if row is not None]) + 1
    it = replace(
        it,
        inputs=torch.full(it.inputs.shape, float("nan")).index_copy(
            0, torch.from_numpy(mine), it.inputs[mine]
        ),
    )
    rows = [None if row is None else row + 1 for row in ROWS]
    found, _ = computed(strategy, it, it.model.flat.clone().expand(len(ROWS), -1), rows)
    assert found[[row is not None for row in rows]].isfinite().all()


def test_large_batches_are_taken_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """41 samples, of which 6 fit: seven batches of 5 or 6, and the same gradient."""
    it = problem(LeNet5())
    monkeypatch.setattr("netsim.learning.gradients.products._NUMBERS_AT_ONCE", 6 * 25 * 256 + 1)
    products = Products.of(it, Load(np.array([41])))
    assert products is not None
    sizes, estimate = [], products._estimate

    def counted(params: torch.Tensor, batch: Batch, into: torch.Tensor) -> torch.Tensor:
        sizes.append(batch.index_LB.shape[1])
        return estimate(params, batch, into)

    monkeypatch.setattr(products, "_estimate", counted)
    row = np.arange(3, 44)
    found = products(it.model.flat.clone()[None], [row])
    expected = plain_gradient(it.model, it.model.flat.clone(), it, row)
    assert sorted(sizes) == [5] + [6] * 6
    assert relative(found.gradients_WN[0], expected) <= 1e-6


@pytest.mark.parametrize(
    ("batches", "width", "groups"),
    [
        ([4] * 10, 10, [10]),
        ([4] * 15, 15, [15]),
        ([4] * 16, 16, [16]),
        ([12] * 16, 16, [8, 8]),
        ([4] * 100, 50, [25, 25]),
        ([16] * 11, 11, [11]),
        ([200] * 11, 11, [2, 3, 3, 3]),
        ([1000] * 9, 9, [1] * 9),
        ([16] * 5 + [15] * 5, 10, [10]),
        ([16] + [1] * 9, 10, [1] * 10),
    ],
)
def test_blocks_of_products(batches: list[int], width: int, groups: list[int]) -> None:
    """At most 64 lanes in equal blocks; in equal groups that fit at once, an even number of them
    if several, and two if each has eight lanes and work enough; one by one where padding would
    be more than half."""
    products = Products.of(problem(LeNet5()), Load(np.array(batches)))
    assert products is not None
    assert products.width == width
    assert [lanes.stop - lanes.start for lanes in products.groups] == groups


@pytest.mark.parametrize("strategy", [Stacked, Shared])
def test_blocks_of_stacked_lanes(strategy: type[Gradients]) -> None:
    """Ten lanes at most, in equal blocks."""
    it = problem(Mlp())
    widths = [strategy.of(it, Load(np.full(k, 4))).width for k in (1, 10, 11, 50)]
    assert widths == [1, 10, 6, 10]


class Other(Model):
    """A model of layers that products do not know."""

    kind: Literal["other"] = "other"
    stack_limit: ClassVar[int] = 4096
    norm: bool = False

    def build(self, signature: Signature) -> nn.Module:
        own = nn.BatchNorm1d(256, track_running_stats=False) if self.norm else nn.Tanh()
        return nn.Sequential(nn.Flatten(), own, nn.Linear(256, signature.outputs))


@pytest.mark.parametrize(
    ("model", "batch", "chosen"),
    [
        (LeNet5(), 16, Products),
        (LeNet5(), 1000, Products),
        (Mlp(), 4, Products),
        (Other(), 16, Stacked),
        (Other(), 17, Loop),
        (Other(norm=True), 1, Loop),
    ],
)
def test_the_strategy_follows_from_model_and_batch(
    model: Model, batch: int, chosen: type[Gradients]
) -> None:
    """Products for plain layers; else stacked up to the model's limit (16·16 numbers a sample),
    unless samples of a batch meet."""
    load = Load(np.full(10, batch))
    assert type(choose("auto", model, problem(model), load)) is chosen


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_strategy_can_be_named(strategy: type[Gradients]) -> None:
    """Each by the name that a scenario has for it."""
    assert type(choose(strategy.name, LeNet5(), problem(LeNet5()), LOAD)) is strategy


def test_products_are_for_classes() -> None:
    """Other losses are left to others."""
    ratings = replace(problem(Mlp()), objective=Rating(1, 5))
    assert Products.of(ratings, LOAD) is None


def test_names_are_those_of_the_configuration() -> None:
    """And auto."""
    known = get_args(TaskConfig.model_fields["gradients"].annotation)
    assert known == ("auto", *(strategy.name for strategy in STRATEGIES))


@pytest.mark.parametrize(
    ("name", "model", "instead"),
    [
        ("products", Other(), "stacked"),
        ("products", Other(norm=True), "loop"),
        ("stacked", Other(norm=True), "loop"),
        ("shared", Other(norm=True), "loop"),
    ],
)
def test_what_a_strategy_cannot_compute_is_refused(name: str, model: Model, instead: str) -> None:
    """With one that can."""
    with pytest.raises(Infeasible, match=f"{name} cannot compute other; write {instead}"):
        choose(name, model, problem(model), Load(np.full(10, 4)))


@pytest.mark.parametrize("norm", [True, False])
def test_the_loop_computes_any_model(norm: bool) -> None:
    """Batch normalisation over a client's own batch, too."""
    it = problem(Other(norm=norm))
    row = np.arange(9)
    found = Loop.of(it, LOAD)(it.model.flat.clone()[None], [row])
    expected = plain_gradient(it.model, it.model.flat.clone(), it, row)
    assert relative(found.gradients_WN[0], expected) <= 1e-6
