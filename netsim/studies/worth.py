"""What a round's models are worth: means and spreads over them."""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from netsim.learning.base import Evaluation
from netsim.results.records import Spread


class Worth(TypedDict, total=False):
    """Fields of a round's record."""

    loss: float
    accuracy: float
    accuracy_min: float
    accuracy_max: float
    accuracy_std: float
    metrics: dict[str, Spread]
    validation_loss: float
    validation_accuracy: float


def worth(evaluations: Sequence[Evaluation]) -> Worth:
    """Means over the models tested, with the spread where there are several."""
    if not evaluations:
        return {}
    found: Worth = {"loss": _mean([each.loss for each in evaluations])}
    accuracies = _accuracies(evaluations)
    if accuracies:
        found["accuracy"] = _mean(accuracies)
    if len(accuracies) > 1:
        found |= {"accuracy_min": min(accuracies), "accuracy_max": max(accuracies)}
        found["accuracy_std"] = float(np.std(accuracies))
    found["metrics"] = {
        name: _spread([each.others[name] for each in evaluations]) for name in evaluations[0].others
    }
    return found | _validation(evaluations)


def _validation(evaluations: Sequence[Evaluation]) -> Worth:
    """Means over the models whose nodes hold samples out."""
    validated = [each.validation for each in evaluations if each.validation is not None]
    if not validated:
        return {}
    found: Worth = {"validation_loss": _mean([each.loss for each in validated])}
    accuracies = _accuracies(validated)
    if accuracies:
        found["validation_accuracy"] = _mean(accuracies)
    return found


def _accuracies(evaluations: Sequence[Evaluation]) -> list[float]:
    return [each.accuracy for each in evaluations if each.accuracy is not None]


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _spread(values: Sequence[float]) -> Spread:
    return Spread(_mean(values), min(values), max(values))
