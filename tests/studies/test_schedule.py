"""Learning-rate schedules in whole runs."""

import json

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.task import TrainingTask
from netsim.results.digest import model_digest
from netsim.scenario.errors import ScenarioError
from netsim.studies.scenario import load
from netsim.wire.deferred import Deferred

TASK = {"dataset": "digits", "model": "mlp", "lr": 3.0, "samples_per_client": 8}
PLATEAU = {"schedule": {"kind": "plateau", "patience": 1, "factor": 0.25}}
NETWORK = {"nodes": 4, "uplink": "1 MB/s", "downlink": "1 MB/s"}
KINDS = ["fedavg", "eris", "dpsgd", "shatter", "priprune"]


@pytest.fixture
def results(read, play, tmp_path, monkeypatch):
    """The results of a scenario with these settings, by kind."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)

    def go(task, **settings):
        runs = [{"kind": kind} for kind in KINDS]
        changes = {"rounds": 6, "task": task, "network": NETWORK, "runs": runs} | settings
        scenario = read(**changes)
        return scenario, {out.result.protocol: out.result for out in play(scenario, tmp_path)}

    return go


def test_fedavg_by_hand(results) -> None:
    """One step without momentum: x − lr_t · mean gradient, lr_t a quarter after each loss."""
    scenario, found = results(TASK | PLATEAU)
    task = TrainingTask.build(scenario.task, 4, Streams(scenario.seed))
    model, lr, best = task.initial, np.float32(3.0), -1.0
    rates = []
    for round in range(6):
        rates.append(float(lr))
        total = np.zeros(task.n, np.float32)
        for k in range(4):
            total += np.float32(0.25) * task.update(k, model, round).value()
        model = Deferred.of(model.value() - lr * total)
        accuracy = task.evaluate([model])[0].accuracy
        assert accuracy == found["fedavg"].rounds[round].accuracy
        lr, best = (lr, accuracy) if accuracy > best else (lr * np.float32(0.25), best)
    assert [record.lr for record in found["fedavg"].rounds] == rates
    assert rates[0] == 3
    assert rates[-1] < 1
    assert found["fedavg"].model_digest == model_digest([model.value()])
    assert found["eris"].model_digest == found["fedavg"].model_digest


def test_a_watched_rate_is_another_for_each_protocol(results) -> None:
    """By its own models; a constant one gives other models everywhere."""
    _, watched = results(TASK | PLATEAU)
    _, constant = results(TASK)
    assert all(watched[kind].model_digest != constant[kind].model_digest for kind in KINDS)


def test_it_needs_rounds_that_end_together(tmp_path) -> None:
    """With its line."""
    text = f"name: s\nrounds: 1\nbarrier: none\ntask: {json.dumps(TASK | PLATEAU)}\n"
    text += f"network: {json.dumps(NETWORK)}\nruns: [{{kind: fedavg}}]\n"
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(ScenarioError, match=r"s\.yaml:4:\d+: task\.schedule: watches rounds that"):
        load(tmp_path / "s.yaml")
