"""The strategy that computes gradients is written down, and taken again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from netsim.studies.run import Outcome
from netsim.studies.scenario import Scenario, load

Read = Callable[..., Scenario]
Play = Callable[[Scenario, Path], list[Outcome]]
RESNET9 = {"kind": "resnet9", "width": 8}


@pytest.fixture
def learn(read: Read) -> Callable[..., Scenario]:
    """A small scenario whose task is changed."""

    def go(**changes: Any) -> Scenario:
        task = read().model_dump(mode="json")["task"] | {"samples_per_client": 9} | changes
        runs = [{"kind": "fedavg"}, {"kind": "eris", "aggregators": 2}]
        return read(task=task, runs=runs, rounds=2)

    return go


def digests(outcomes: list[Outcome]) -> list[tuple[str, str | None]]:
    return [(outcome.result.digest, outcome.result.model_digest) for outcome in outcomes]


@pytest.mark.parametrize(
    ("model", "chosen"), [("mlp", "products"), ("lenet5", "products"), (RESNET9, "loop")], ids=str
)
def test_the_resolved_scenario_names_the_strategy(
    learn: Read, play: Play, tmp_path: Path, model: Any, chosen: str
) -> None:
    """And run again it takes the same, with the same digests."""
    first = play(learn(model=model), tmp_path / "out")
    resolved = tmp_path / "out" / "scenario.resolved.yaml"
    assert yaml.safe_load(resolved.read_text())["task"]["gradients"] == chosen
    again = play(load(resolved), tmp_path / "again")
    assert digests(again) == digests(first)
    assert resolved.read_text() == (tmp_path / "again" / resolved.name).read_text()


def test_a_named_strategy_is_taken_again_where_auto_takes_another(
    learn: Read, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stacked, for a model that products are chosen for: other last bits, and they stay."""
    first = play(learn(model="mlp", gradients="stacked"), tmp_path / "out")
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)
    auto = play(learn(model="mlp"), tmp_path / "auto")
    again = play(load(tmp_path / "out" / "scenario.resolved.yaml"), tmp_path / "again")
    assert [outcome.result.gradients for outcome in again] == ["stacked"] * 2
    assert digests(again) == digests(first)
    assert digests(auto)[0] != digests(first)[0]


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    """Sets the threads of torch, for the test."""
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.fixture
def silently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs without writing a folder."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)


@pytest.mark.usefixtures("silently")
@pytest.mark.parametrize(
    "changes",
    [
        {"model": "lenet5", "samples_per_client": 40, "batch": "full"},
        {"model": "lenet5", "gradients": "stacked"},
        {"model": "mlp", "gradients": "shared"},
        {"model": "lenet5", "gradients": "loop"},
        {"model": RESNET9},
    ],
    ids=str,
)
def test_one_thread_and_two_give_the_same_digests(
    learn: Read, play: Play, tmp_path: Path, threads: Callable[[int], None], changes: Any
) -> None:
    """Whatever the strategy."""
    found = []
    for count in (1, 2):
        threads(count)
        found.append(digests(play(learn(**changes), tmp_path / str(count))))
    assert found[0] == found[1]
