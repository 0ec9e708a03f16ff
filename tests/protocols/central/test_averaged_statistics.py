"""Running statistics, the last coordinates, are averaged whatever a protocol does with the rest."""

import numpy as np
import pytest

K, N, M = 5, 12, 3
FSA = {"kind": "fsa", "aggregators": 4, "masks": "random"}


@pytest.mark.parametrize(
    "config",
    [
        {"kind": "fedavg", "server_momentum": 0.9},
        {"kind": "eris", "aggregators": 5, "masks": "interleaved", "server_momentum": 0.9},
        {"kind": "fedadam"},
        {"kind": "fedadam", "aggregation": FSA},
        {"kind": "fedyogi"},
        {"kind": "fednova"},
        {"kind": "fednova", "aggregation": FSA},
    ],
)
def test_statistics_are_those_of_fedavg(play, toy, config):
    """Bit for bit after every round, while the parameters are others; steps differ in number."""

    def models(given):
        task = toy(K, N)
        task.statistics = M
        task.step_weight = lambda client: float(client + 1)
        return np.array(play(given, task, rounds=4).models)

    ours, expected = models(config), models({"kind": "fedavg"})
    assert np.array_equal(ours[..., N - M :], expected[..., N - M :])
    assert not np.allclose(ours[-1, ..., : N - M], expected[-1, ..., : N - M])
