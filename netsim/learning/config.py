"""The ``task:`` section of a scenario."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from netsim.learning.datasets import AnyDataset
from netsim.learning.estimators import ESTIMATORS, Estimator, Sgd
from netsim.learning.models import AnyModel
from netsim.learning.partitions import PARTITIONS, Iid, Partition
from netsim.learning.schedules import SCHEDULES, Constant, Schedule
from netsim.scenario.config import Config
from netsim.scenario.kinds import one_of
from netsim.scenario.suggest import quoted


def _batch(given: object) -> object:
    whole = isinstance(given, int) and not isinstance(given, bool) and given >= 1
    if not whole and given != "full":
        raise ValueError(f"must be a number of samples from 1 on, or 'full', not {quoted(given)}")
    return given


class TaskConfig(Config):
    """What is learned, by which model, from whose samples, and by which local steps.

    ``batch``: samples of a local step, drawn without replacement anew each step; a client with
    fewer uses all. ``lr`` is the learning rate, which ``schedule`` may change over the rounds.
    ``momentum`` is the client's and goes on from round to round.
    ``samples_per_client`` is how many samples of its part a client keeps at most, and
    ``holdout`` the share of these, rounded down, that it does not train on but validates with.
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
    local_steps: int = Field(default=1, ge=1)
    lr: float = Field(gt=0)
    schedule: Annotated[Schedule, one_of(*SCHEDULES)] = Constant()
    momentum: float = Field(default=0.0, ge=0, lt=1)
    gradients: Literal["auto", "loop", "shared", "stacked", "products"] = "auto"
