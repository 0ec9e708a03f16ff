"""What a model's answers are worth: the loss it is trained on, and what it is judged by.

Shapes: S samples, C classes, L tokens of a text, V tokens there are.
"""

from abc import ABC, abstractmethod
from math import exp, sqrt
from typing import final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, mse_loss

from netsim.learning.base import Evaluation
from netsim.learning.signature import Signature

Counts = npt.NDArray[np.float64]
_STEEPEST = 700.0
"""Losses above this would make a perplexity too large for a number."""


class Objective(ABC):
    """A loss, and what to count of a batch so that sums over batches give the metrics."""

    @abstractmethod
    def losses(self, outputs: Tensor, labels: Tensor) -> Tensor:
        """The loss of each sample, [S]."""

    def mean(self, outputs: Tensor, labels: Tensor) -> Tensor:
        """Their mean."""
        return self.losses(outputs, labels).mean()

    @abstractmethod
    def counts(self, outputs: Tensor, labels: Tensor) -> Counts:
        """What adds up over batches."""

    @abstractmethod
    def evaluation(self, loss: float, counts: Counts) -> Evaluation:
        """From the mean loss and the sum of the counts."""


@final
class Classification(Objective):
    """Cross-entropy of outputs [S, C] and labels Int64[S]; accuracy and macro F1.

    Macro F1 is the mean over the classes that occur of 2·TP / (2·TP + FP + FN).
    """

    def losses(self, outputs: Tensor, labels: Tensor) -> Tensor:
        return cross_entropy(outputs, labels, reduction="none")

    def mean(self, outputs: Tensor, labels: Tensor) -> Tensor:
        return cross_entropy(outputs, labels)

    def counts(self, outputs: Tensor, labels: Tensor) -> Counts:
        """The confusion matrix [C, C]: true class by answer."""
        classes = outputs.shape[1]
        pairs = labels * classes + outputs.argmax(1)
        table = torch.bincount(pairs, minlength=classes * classes)
        return table.view(classes, classes).numpy().astype(np.float64)

    def evaluation(self, loss: float, counts: Counts) -> Evaluation:
        right, answers, truths = np.diag(counts), counts.sum(0), counts.sum(1)
        occurs = answers + truths > 0
        f1 = 2 * right[occurs] / (answers + truths)[occurs]
        accuracy = float(right.sum() / counts.sum())
        return Evaluation(loss, accuracy, {"macro_f1": float(f1.mean())})


@final
class NextToken(Objective):
    """Mean cross-entropy over the tokens of a text: outputs [S, L, V], labels Int64[S, L].

    Accuracy is over tokens; the perplexity is e to the mean loss.
    """

    def losses(self, outputs: Tensor, labels: Tensor) -> Tensor:
        each = cross_entropy(outputs.flatten(0, 1), labels.flatten(), reduction="none")
        return each.view_as(labels).mean(1)

    def counts(self, outputs: Tensor, labels: Tensor) -> Counts:
        """Right answers, and tokens."""
        right = int((outputs.argmax(2) == labels).sum())
        return np.array([right, labels.numel()], np.float64)

    def evaluation(self, loss: float, counts: Counts) -> Evaluation:
        accuracy = float(counts[0] / counts[1])
        return Evaluation(loss, accuracy, {"perplexity": exp(min(loss, _STEEPEST))})


@final
class Rating(Objective):
    """Mean squared error of outputs [S] and ratings Float32[S]; no accuracy.

    RMSE and MAE are those of predictions held within ``low`` and ``high``, the ends of the scale.
    """

    def __init__(self, low: float, high: float) -> None:
        self._low, self._high = low, high

    def losses(self, outputs: Tensor, labels: Tensor) -> Tensor:
        return mse_loss(outputs, labels, reduction="none")

    def counts(self, outputs: Tensor, labels: Tensor) -> Counts:
        """Squared errors, errors, and ratings."""
        errors = (outputs.clamp(self._low, self._high) - labels).double()
        return np.array([float(errors.square().sum()), float(errors.abs().sum()), len(labels)])

    def evaluation(self, loss: float, counts: Counts) -> Evaluation:
        squares, errors, count = counts.tolist()
        return Evaluation(loss, None, {"rmse": sqrt(squares / count), "mae": errors / count})


def objective_of(signature: Signature, labels: Tensor) -> Objective:
    """The objective for such answers; ``labels`` are those of the training samples."""
    if signature.answer == "class":
        return Classification()
    if signature.answer == "tokens":
        return NextToken()
    return Rating(float(labels.min()), float(labels.max()))
