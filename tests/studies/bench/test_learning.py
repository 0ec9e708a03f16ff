"""The benchmark of training measures what it says."""

from dataclasses import replace

import pytest
import torch

from netsim.learning.errors import DatasetMissing
from netsim.studies.bench.learning import (
    CASES,
    Case,
    Stopwatch,
    beside_the_loop,
    medians,
    one_round,
    samples_of,
)
from netsim.studies.bench.plain_loop import PlainLoop

TINY = Case("lenet5", 4, 3, clients=3, dataset="digits")


def test_rounds_beside_a_plain_loop() -> None:
    """The ratio is that of the two times; the gradients are the loop's to 1e-6."""
    row = beside_the_loop("tiny", TINY)
    assert (row.case, row.gradients) == ("tiny", "products")
    assert row.peer is not None
    assert row.peer.startswith("PyTorch loop, ")
    assert row.peer_seconds is not None
    assert row.rounds_per_s == pytest.approx(1 / row.seconds)
    assert row.ratio == pytest.approx(row.peer_seconds / row.seconds)
    assert row.error is not None
    assert 0 < row.error <= 1e-6


class Counting:
    """A peer that does nothing but count its rounds."""

    def __init__(self) -> None:
        self.rounds = 0

    def round(self) -> None:
        self.rounds += 1


@pytest.mark.parametrize(("turn", "ours", "theirs", "played"), [(1, 6, 6, 12), (3, 4, 4, 12)])
def test_turns(turn: int, ours: int, theirs: int, played: int) -> None:
    """Six rounds in turns: the first of several does not count, of netsim's or of the peer's."""
    threads, peer = torch.get_num_threads(), Counting()
    watch = Stopwatch(peer, turn)
    for _ in range(6):
        watch(None)
    torch.set_num_threads(threads)
    assert (len(watch.seconds), len(watch.cpu_seconds)) == (ours, ours)
    assert [len(each) for each in watch.peer_seconds.values()] == [theirs, theirs]
    assert peer.rounds == played


def test_medians_of_turns() -> None:
    """Of three rounds that count in a turn of four, and of turns of a single round."""
    assert medians([1, 2, 9, 6, 4, 5], turn=4) == [2, 5]
    assert medians([3, 1, 2], turn=1) == [3, 1, 2]


@pytest.mark.parametrize("protocol", ["fedavg", "eris"])
def test_one_round_for_its_memory(protocol: str) -> None:
    """Without a peer."""
    row = one_round("tiny", replace(TINY, rounds=1, run=f"{{kind: {protocol}}}"))
    assert (row.peer, row.ratio, row.error) == (None, None, None)
    assert row.peak_memory_bytes > 10**7


@pytest.mark.parametrize("dataset", ["mnist", "cifar10"])
def test_random_images_stand_in_for_missing_ones(
    dataset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same shape, and enough of them."""

    def missing(self: object, folder: object = None) -> None:
        raise DatasetMissing("none here")

    case = replace(TINY, dataset=dataset)
    config = case.scenario().task
    assert config is not None
    monkeypatch.setattr(type(config.dataset), "load", missing)
    parts = samples_of(config, case.data(config), case.clients)
    shape = {"mnist": (4, 1, 28, 28), "cifar10": (4, 3, 32, 32)}[dataset]
    assert [inputs.shape for inputs, _ in parts] == [shape] * 3


def test_the_plain_loop_averages_steps_of_sgd() -> None:
    """A step from the same model for each client, and the mean of where they end."""
    torch.manual_seed(1)
    module = torch.nn.Linear(3, 2)
    clients = [(torch.randn(4, 3), torch.tensor([0, 1, 1, 0])) for _ in range(2)]
    start = torch.nn.utils.parameters_to_vector(module.parameters()).detach().clone()
    loop = PlainLoop(module, clients, lr=0.5)
    steps = torch.stack(loop.gradients())
    loop.round()
    module.load_state_dict(loop._state)
    end = torch.nn.utils.parameters_to_vector(module.parameters())
    assert torch.allclose(end, start - 0.5 * steps.mean(0), atol=1e-6)


def test_cases_are_those_of_the_targets() -> None:
    """What is held to a ratio, and what to a memory."""
    assert list(CASES) == [
        "cepam_mlp_16",
        "lenet5_4",
        "lenet5_16",
        "lenet5_64",
        "resnet9_16",
        "fedavg_1000",
        "eris_1000",
    ]
