"""Products of matrices, by whichever library."""

from functools import partial

import pytest
import torch

from netsim.learning.gradients.lanes import matrices
from netsim.learning.gradients.lanes.matrices import applied, at_input, at_weight
from netsim.learning.threads import one_thread, side_by_side

LANES = 3
SIZES = {
    "one column": (30, 20, 1),
    "few columns": (30, 20, 7),
    "few of a large matrix": (1100, 1000, 2),
    "many of a small matrix": (30, 20, 900),
    "many of a large matrix": (300, 200, 40),
}


def operands(name: str, by_sample: bool) -> list[torch.Tensor]:
    """Weights in the rows of a larger tensor, biases, samples and what comes back."""
    inputs, outputs, columns = SIZES[name]
    torch.manual_seed(3)
    rows = torch.randn(LANES, inputs * outputs + 9)
    weight = rows[:, : inputs * outputs].view(LANES, outputs, inputs)
    x = torch.randn(LANES, columns, inputs).mT if by_sample else torch.randn(LANES, inputs, columns)
    return [weight, torch.randn(LANES, outputs), x, torch.randn(LANES, outputs, columns)]


def results(weight: torch.Tensor, bias: torch.Tensor, x: torch.Tensor, dy: torch.Tensor) -> list:
    """All four products; the gradient at the weights in the rows of a larger tensor."""
    rows = torch.full((len(x), weight[0].numel() + 5), torch.nan)
    into = rows[:, : weight[0].numel()].view(weight.shape)
    at_weight(dy, x, into)
    assert rows[:, -5:].isnan().all()
    return [applied(weight, bias, x), applied(weight, None, x), at_input(weight, dy), into]


@pytest.mark.parametrize("by_sample", [False, True])
@pytest.mark.parametrize("name", SIZES)
def test_products_are_those_in_float64(name: str, by_sample: bool) -> None:
    """Up to float32's rounding, whatever the sizes and however the samples lie."""
    given = operands(name, by_sample)
    weight, bias, x, dy = (each.double() for each in given)
    plain = weight @ x
    expected = [plain + bias.unsqueeze(2), plain, weight.mT @ dy, dy @ x.mT]
    for found, wanted in zip(results(*given), expected, strict=True):
        assert (found - wanted).norm() <= 1e-6 * wanted.norm()


@pytest.mark.parametrize("name", SIZES)
def test_a_lane_has_the_same_bits_alone(name: str) -> None:
    """The first and the last of several."""
    given = operands(name, by_sample=True)
    together = results(*given)
    for lane in (0, LANES - 1):
        alone = results(*(each[lane : lane + 1].clone() for each in given))
        assert all(map(torch.equal, alone, (each[lane : lane + 1] for each in together)))


def test_many_lanes_are_shared_by_threads_with_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In several parts, on one thread and on two; as lane by lane, which is in one."""
    parts = []

    def counted(work: list[partial[None]]) -> None:
        parts.append(len(work))
        side_by_side(work)

    monkeypatch.setattr(matrices, "side_by_side", counted)
    torch.manual_seed(4)
    weight, dy = torch.randn(51, 150, 120), torch.randn(51, 150, 30)
    alone = torch.cat([at_input(weight[k : k + 1], dy[k : k + 1]) for k in range(51)])
    before = torch.get_num_threads()
    for threads in (1, 2):
        torch.set_num_threads(threads)
        with one_thread():
            assert torch.equal(at_input(weight, dy), alone)
    torch.set_num_threads(before)
    assert parts == [3, 3]


def test_both_libraries_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy for all of these but two."""
    by_numpy = []
    monkeypatch.setattr(matrices, "_multiply", lambda *_: by_numpy.append(name))
    for name in SIZES:
        at_weight(*(operands(name, False)[at] for at in (3, 2, 0)))
    assert by_numpy == ["few columns", "few of a large matrix", "many of a small matrix"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SIZES)
def test_what_is_too_large_is_no_warning(name: str) -> None:
    """It is infinite, and found as a whole."""
    weight, bias, x, dy = operands(name, False)
    assert not applied(weight * 1e38, bias, x * 1e38).isfinite().all()
    assert not at_input(weight * 1e38, dy * 1e38).isfinite().all()
