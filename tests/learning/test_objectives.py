"""Losses and metrics against their definitions and other libraries."""

from math import exp, log, sqrt

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score, f1_score
from torch.nn.functional import cross_entropy

from netsim.learning.metrics import METRIC
from netsim.learning.objectives import (
    Classification,
    NextToken,
    Objective,
    Rating,
    objective_of,
)
from netsim.learning.signature import Signature


def evaluated(objective: Objective, outputs: torch.Tensor, labels: torch.Tensor, at: int):
    """What two batches, parted at ``at``, add up to."""
    parts = [(outputs[:at], labels[:at]), (outputs[at:], labels[at:])]
    loss = float(objective.losses(outputs, labels).mean())
    counts = np.sum([objective.counts(*part) for part in parts], axis=0)
    return objective.evaluation(loss, counts)


@pytest.mark.parametrize("classes", [2, 7])
def test_classification_is_scikit_learn_s(classes: int) -> None:
    """Accuracy and macro F1, with a class that nobody has and nobody answers."""
    rng = np.random.default_rng(classes)
    labels = torch.from_numpy(rng.integers(0, classes, 60))
    outputs = torch.from_numpy(rng.normal(size=(60, classes + 1)).astype(np.float32))
    outputs[:, classes] = -99
    outputs[torch.arange(30), labels[:30]] += 2
    found = evaluated(Classification(), outputs, labels, 17)
    answers = outputs.argmax(1).numpy()
    assert found.accuracy == accuracy_score(labels, answers)
    assert found.others["macro_f1"] == pytest.approx(f1_score(labels, answers, average="macro"))
    assert found.loss == pytest.approx(float(cross_entropy(outputs, labels)))


def test_next_tokens_count_each() -> None:
    """Uniform scores over V tokens have perplexity V; right answers count by token."""
    labels = torch.tensor([[0, 1, 2], [3, 3, 0]])
    uniform = evaluated(NextToken(), torch.zeros(2, 3, 4), labels, 1)
    assert uniform.others["perplexity"] == pytest.approx(4)
    assert uniform.accuracy == 2 / 6
    outputs = torch.zeros(2, 3, 4)
    outputs[0, 1, 1] = log(9)
    losses = NextToken().losses(outputs, labels)
    assert losses.tolist() == pytest.approx([(2 * log(4) + log(12 / 9)) / 3, log(4)])
    assert NextToken().evaluation(1e6, np.array([0.0, 1.0])).others["perplexity"] == exp(700)


def test_ratings_are_held_within_their_scale() -> None:
    """A 7 on a scale to 5 errs by 1 from a 4 in RMSE, and by 3 in the loss that is trained."""
    outputs, labels = torch.tensor([7.0, 2.0, 0.0]), torch.tensor([4.0, 2.0, 3.0])
    found = evaluated(Rating(1, 5), outputs, labels, 2)
    assert found.accuracy is None
    assert found.others == {"rmse": pytest.approx(sqrt(5 / 3)), "mae": pytest.approx(1)}
    assert found.loss == pytest.approx((9 + 9) / 3)


@pytest.mark.parametrize(
    ("answer", "outputs", "labels"),
    [
        ("class", torch.randn(6, 4), torch.arange(6) % 4),
        ("tokens", torch.randn(6, 3, 4), torch.arange(18).view(6, 3) % 4),
        ("rating", torch.randn(6), torch.arange(6.0)),
    ],
)
def test_the_mean_is_that_of_the_samples(answer, outputs, labels) -> None:
    """And the metric that models are compared by is among what is measured."""
    objective = objective_of(Signature((3,), 4, answer), labels)
    losses = objective.losses(outputs, labels)
    assert losses.shape == (6,)
    assert torch.allclose(objective.mean(outputs, labels), losses.mean())
    found = evaluated(objective, outputs, labels, 2)
    assert METRIC[answer].name in {"accuracy", *found.others}
