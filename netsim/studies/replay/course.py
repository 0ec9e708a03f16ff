"""How a training went, as far as its messages and results tell."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np

from netsim.learning.base import Evaluation, Int64, Task
from netsim.learning.metrics import METRIC
from netsim.learning.signature import Answer
from netsim.network.ledger import Entry
from netsim.studies.replay.bundle import Bundle


@dataclass
class Course:
    """A task's facts, what was asked of it in order, and the sizes that depended on values.

    ``statistics`` are how many of the n coordinates are no parameters; ``answer`` says what
    kind of task it is; ``samples`` is Int64[K] and ``step_weights`` has one for each of the K
    clients; ``updates`` are pairs of client and round; ``evaluations`` has a list, one a model,
    for each time the models were evaluated, and ``evaluated`` the rounds after which they were;
    ``rates`` are the learning rates of the rounds.
    """

    n: int
    lr: float
    samples: Int64
    step_weights: tuple[float, ...]
    updates: set[tuple[int, int]] = field(default_factory=set)
    evaluations: list[list[Evaluation]] = field(default_factory=list)
    evaluated: list[int] = field(default_factory=list)
    entries: Sequence[Entry] = ()
    statistics: int = 0
    answer: Answer = "class"
    rates: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, task: Task) -> Self:
        """That of a task nothing was asked of yet."""
        weights = tuple(task.step_weight(client) for client in range(task.clients))
        answer = next(answer for answer, metric in METRIC.items() if metric == task.metric)
        return cls(
            task.n,
            task.lr,
            task.samples,
            weights,
            statistics=task.statistics,
            answer=answer,
        )

    @classmethod
    def read(cls, bundle: Bundle) -> Self:
        """From what ``bundle`` made."""
        values, arrays = bundle
        pairs = zip(*arrays["updates"].tolist(), strict=True)
        return cls(
            values["n"],
            values["lr"],
            arrays["samples"],
            tuple(values["step_weights"]),
            {(client, round) for client, round in pairs},
            [[_evaluation(each) for each in models] for models in values["evaluations"]],
            values["evaluated"],
            _entries(values["sendings"], arrays),
            values["statistics"],
            values["answer"],
            dict(values["rates"]),
        )

    def bundle(self) -> Bundle:
        """As JSON values and arrays."""
        values: Mapping[str, Any] = {
            "n": self.n,
            "statistics": self.statistics,
            "answer": self.answer,
            "lr": self.lr,
            "step_weights": self.step_weights,
            "evaluations": [[asdict(each) for each in models] for models in self.evaluations],
            "evaluated": self.evaluated,
            "rates": sorted(self.rates.items()),
            "sendings": [[e.kind, e.round, e.sender, e.place] for e in self.entries],
        }
        rows = [[e.receiver_M, e.payload_bits_M, e.wire_bits_M] for e in self.entries]
        sizes = np.concatenate([np.zeros((3, 0), np.int64), *map(np.array, rows)], axis=1)
        arrays = {
            "samples": self.samples,
            "updates": np.array(sorted(self.updates), np.int64).reshape(-1, 2).T.copy(),
            "counts": np.array([len(e.receiver_M) for e in self.entries], np.int64),
            "sizes": sizes.astype(np.int64),
        }
        return Bundle(values, arrays)


def _entries(sendings: Sequence[Any], arrays: Mapping[str, Any]) -> list[Entry]:
    parts = np.split(arrays["sizes"], np.cumsum(arrays["counts"])[:-1], axis=1)
    return [Entry(*which, *part) for which, part in zip(sendings, parts, strict=False)]


def _evaluation(values: Mapping[str, Any]) -> Evaluation:
    validation = values["validation"]
    parts = {**values, "validation": validation and _evaluation(validation)}
    return Evaluation(**parts)
