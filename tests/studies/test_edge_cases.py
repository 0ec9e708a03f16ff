"""Few samples, uneven ones, and batches larger than what a client holds."""

from pathlib import Path

import numpy as np
import pytest
import torch

from netsim.learning.errors import Infeasible
from netsim.learning.flat import FlatModule
from netsim.learning.models import ResNet9
from netsim.learning.signature import Signature
from netsim.learning.trial import try_out
from netsim.results.progress import run_progress
from netsim.studies.run import run_scenario

RUNS = [{"kind": kind} for kind in ("fedavg", "eris", "shatter", "epidemic", "soteriafl")]


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    """200 and 20 photographs of noise, in CIFAR-10's own format."""
    rng = np.random.default_rng(1)
    for name, count in (("data_batch_1.bin", 200), ("test_batch.bin", 20)):
        records = rng.integers(0, 256, (count, 3073), np.uint8)
        records[:, 0] = np.arange(count) % 10
        records.tofile(tmp_path / name)
    return tmp_path


@pytest.fixture
def results(read, photographs, monkeypatch):
    """The results of a scenario on the photographs."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)

    def go(nodes, **settings):
        task = {"dataset": "cifar10", "model": "cepam_mlp", "lr": 0.01} | settings.pop("task", {})
        network = {"nodes": nodes, "uplink": "1 MB/s", "downlink": "1 MB/s"}
        given = {"task": task, "network": network, "runs": RUNS, "rounds": 2} | settings
        scenario = read(**given)
        with run_progress() as progress:
            outcomes = run_scenario(scenario, photographs / "out", photographs, progress)
        return [outcome.result for outcome in outcomes]

    return go


def test_the_hardest_partition_on_record(results) -> None:
    """α = 0.01 with 100 clients and 200 samples: most hold nothing, and the runs end."""
    partition = {"kind": "dirichlet", "alpha": 0.01}
    task = {"partition": partition, "batch": 64, "local_steps": 2}
    for result in results(100, task=task, rounds=1, runs=[RUNS[0], RUNS[1], RUNS[3]]):
        assert result.status == "complete"
        assert (result.transfers.sender < 100).sum() > 0
        assert result.rounds[-1].loss > 0


@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("batch", ["full", 2, 500])
def test_clients_with_few_samples(results, samples, batch) -> None:
    """One or three, and batches below and above."""
    task = {"samples_per_client": samples, "batch": batch, "local_steps": 2, "momentum": 0.9}
    for result in results(6, task=task):
        assert result.status == "complete"
        assert np.isfinite(result.rounds[-1].loss)


def test_more_clients_than_samples(results) -> None:
    """Fifty of 250 hold nothing under iid."""
    (result,) = results(250, runs=[{"kind": "fedavg"}], rounds=1)
    assert result.status == "complete"
    kinds = [kind.sender_role for kind in result.transfers.kinds]
    updates = result.transfers.kind == kinds.index("client")
    senders = set(result.transfers.sender[updates].tolist())
    assert len(senders) == 200
    assert result.nodes.without_samples == sorted({*range(250)} - senders)


def test_batch_norm_with_a_single_sample(results) -> None:
    """Where a layer has several pixels a single sample has statistics."""
    task = {"model": {"kind": "resnet9", "width": 8}, "samples_per_client": 1}
    (result,) = results(3, task=task, runs=[{"kind": "fedavg"}])
    assert result.status == "complete"


def test_batch_norm_without_statistics_is_refused() -> None:
    """Down to one pixel a single sample has none: told before anything is trained."""
    signature = Signature((1, 8, 8), 10)
    model = FlatModule(ResNet9(width=8).build(signature))
    inputs = torch.rand(4, 1, 8, 8)
    before = model.flat.clone()
    try_out(model, signature, inputs, smallest=2)
    assert torch.equal(model.flat, before)
    with pytest.raises(Infeasible, match="1×8×8 numbers, 1 at once: Expected more than 1 value"):
        try_out(model, signature, inputs, smallest=1)
