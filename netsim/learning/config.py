"""The ``task:`` section of a scenario."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from netsim.learning.datasets import AnyDataset
from netsim.learning.datasets.base import Data
from netsim.learning.errors import DatasetCorrupt
from netsim.learning.estimators import ESTIMATORS, Estimator, Sgd
from netsim.learning.models import AnyModel
from netsim.learning.partitions import PARTITIONS, Iid, Partition
from netsim.learning.schedules import SCHEDULES, Constant, Schedule
from netsim.scenario.config import Config
from netsim.scenario.kinds import one_of
from netsim.scenario.suggest import quoted

_LEAST, _MOST = 1e-37, 1e37


def _batch(given: object) -> object:
    whole = isinstance(given, int) and not isinstance(given, bool) and given >= 1
    if not whole and given != "full":
        raise ValueError(f"must be a number of samples from 1 on, or 'full', not {quoted(given)}")
    return given


def _as_float32(lr: float) -> float:
    if not _LEAST <= lr <= _MOST:
        raise ValueError(f"must be from {_LEAST} to {_MOST}, as models are float32, not {lr}")
    return lr


class TaskConfig(Config):
    """What is learned, by which model, from whose samples, and by which local steps.

    ``batch``: samples of a local step; a client with fewer uses all. A client makes
    ``local_steps`` steps a round, each on samples drawn without replacement anew; or it passes
    ``local_epochs`` times over its samples, in a new order each time, the last batch of a pass
    being what is left. ``lr`` is the learning rate, which ``schedule`` may change over the
    rounds. ``momentum`` is the client's and goes on from round to round.
    ``samples_per_client`` is how many samples of its part a client keeps at most (the dataset must
    have as many for every client), and ``holdout`` the share of these, rounded down, that it does
    not train on but validates with.
    ``gradients``: the strategy that computes gradients of many clients; all give the same up to
    their last bits, so that a result names the one it was computed by.
    """

    dataset: AnyDataset
    model: AnyModel
    partition: Annotated[Partition, one_of(*PARTITIONS)] = Iid()
    samples_per_client: Annotated[int, Field(ge=1)] | None = None
    holdout: float = Field(default=0.0, ge=0, lt=1)
    estimator: Annotated[Estimator, one_of(*ESTIMATORS)] = Sgd()
    batch: Annotated[int | Literal["full"], BeforeValidator(_batch)] = "full"
    local_steps: Annotated[int, Field(ge=1)] | None = 1
    local_epochs: Annotated[int, Field(ge=1)] | None = None
    lr: Annotated[float, AfterValidator(_as_float32)] = Field(gt=0)
    schedule: Annotated[Schedule, one_of(*SCHEDULES)] = Constant()
    momentum: float = Field(default=0.0, ge=0, lt=1)
    gradients: Literal["auto", "loop", "shared", "stacked", "products"] = "auto"

    @model_validator(mode="before")
    @classmethod
    def _one_of_two(cls, given: object) -> object:
        """Epochs take the place of the one step that is the default."""
        if isinstance(given, dict) and given.get("local_epochs") is not None:
            return {"local_steps": None} | given
        return given

    @field_validator("local_epochs")
    @classmethod
    def _not_both(cls, epochs: int | None, info: ValidationInfo) -> int | None:
        if "local_steps" in info.data and (epochs is None) == (info.data["local_steps"] is None):
            raise ValueError("write either local_steps or local_epochs")
        return epochs

    def load(self, folder: Path | None) -> Data:
        """The dataset, in the model's own tokens if it has some; raises LearningError."""
        dataset, tokenizer = self.dataset, self.model.tokenizer()
        try:
            if tokenizer is None:
                data = dataset.load(folder)
            else:
                data = dataset.tokenized(tokenizer, folder)
        except OSError as error:
            raise DatasetCorrupt(f"dataset {dataset.kind} cannot be read: {error}") from error
        for labels, purpose in ((data.train_labels, "train on"), (data.test_labels, "test")):
            if not len(labels):
                raise DatasetCorrupt(f"dataset {dataset.kind} has no samples to {purpose}")
        return data

    def batch_of(self, samples: int) -> int:
        """Samples of the first step of a client that holds ``samples``."""
        return samples if self.batch == "full" else min(self.batch, samples)

    def steps_of(self, samples: int) -> int:
        """Local steps a round of a client that holds ``samples`` ≥ 1."""
        if self.local_epochs is None:
            assert self.local_steps is not None
            return self.local_steps
        return self.local_epochs * -(-samples // self.batch_of(samples))

    def work_of(self, samples: int, round: int, begins: bool) -> int:
        """Gradients of single samples that a client computes in a round that it trains in.

        It ``begins`` if it has trained in none before.
        """
        if samples == 0:
            return 0
        batch = self.batch_of(samples)
        passes = self.local_epochs
        drawn = self.steps_of(samples) * batch if passes is None else passes * samples
        return self.estimator.work(round, begins, samples, batch, drawn)
