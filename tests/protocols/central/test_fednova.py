"""FedNova where clients really take different numbers of local steps."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask

CLIENTS, BATCH, EPOCHS = 5, 50, 2
SETTINGS = {
    "dataset": "digits",
    "model": "mlp",
    "partition": {"kind": "dirichlet", "alpha": 0.3},
    "batch": BATCH,
    "local_epochs": EPOCHS,
    "lr": 0.1,
}


def task(**settings):
    """Clients that pass twice over parts of very different size."""
    config = TaskConfig.model_validate(SETTINGS | settings)
    return TrainingTask.build(config, CLIENTS, Streams(7))


def by_hand(momentum):
    """After a round: FedAvg's model, and x − lr · τ_eff · Σ p_k u_k / ‖a_k‖₁ (Equation 6)."""
    alone = task(momentum=momentum)
    start = alone.initial.value().astype(np.float64)
    updates = [alone.update(k, alone.initial, 0).value() for k in range(CLIENTS)]
    shares = alone.samples / alone.samples.sum()
    steps = [EPOCHS * -(-int(held) // BATCH) for held in alone.samples]
    # a_k: how often momentum repeats the gradient of each step, the last one once.
    weights = [sum(sum(momentum**i for i in range(j)) for j in range(1, n + 1)) for n in steps]
    effective = shares @ weights
    averaged = sum(p * u for p, u in zip(shares, updates, strict=True))
    normal = sum(p * u / a for p, u, a in zip(shares, updates, weights, strict=True))
    return start - 0.1 * averaged, start - 0.1 * effective * normal, steps


@pytest.mark.parametrize("momentum", [0.0, 0.5])
def test_unequal_parts_give_the_normalised_average(play, momentum):
    """By hand to rounding; FedAvg's model is another, a thousand times as far away."""
    averaged, normalised, steps = by_hand(momentum)
    assert max(steps) >= 3 * min(steps)
    silent = {"rounds": 1, "evaluate": {"every": 1}}
    nova = play({"kind": "fednova"}, task(momentum=momentum), **silent).models[0][0]
    fedavg = play({"kind": "fedavg"}, task(momentum=momentum), **silent).models[0][0]
    assert np.abs(fedavg - averaged).max() < 1e-6
    assert np.abs(nova - normalised).max() < 1e-6
    assert np.abs(nova - fedavg).max() > 1e-3


def test_with_as_many_steps_for_all_it_is_fedavg(play):
    """But for rounding, whatever the parts."""
    same = {"local_epochs": None, "local_steps": 4}
    models = [
        play({"kind": kind}, task(**same), rounds=2).models[-1][0] for kind in ("fednova", "fedavg")
    ]
    assert np.abs(models[0] - models[1]).max() < 1e-6


@pytest.mark.parametrize("aggregators", [1, 4])
def test_sharded_it_is_the_same_bit_for_bit(play, aggregators):
    """With τ_k of every size."""
    layer = {"aggregation": {"kind": "fsa", "aggregators": aggregators}}
    central = play({"kind": "fednova"}, task(), rounds=2)
    assert np.array_equal(
        play({"kind": "fednova"} | layer, task(), rounds=2).models, central.models
    )
