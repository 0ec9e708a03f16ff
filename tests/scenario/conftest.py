"""A scenario as the layers above would define it, small."""

from collections.abc import Callable
from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

from netsim.scenario.config import Config
from netsim.scenario.document import Check, Document
from netsim.scenario.errors import ScenarioError
from netsim.scenario.kinds import one_of
from netsim.scenario.units import Duration, Rate, Size, duration, rate, size


class Partition(Config):
    kind: str


class Iid(Partition):
    kind: Literal["iid"] = "iid"


class Dirichlet(Partition):
    kind: Literal["dirichlet"] = "dirichlet"
    alpha: float = Field(gt=0)


class Compute(Config):
    kind: str


class Fixed(Compute):
    kind: Literal["fixed"] = "fixed"
    time: Duration


class Task(Config):
    dataset: str
    partition: Annotated[Partition, one_of(Iid, Dirichlet)] = Iid()
    batch: Annotated[int, Field(ge=1)] | Literal["full"] = "full"
    lr: float = 0.1
    nesterov: bool = False


class Access(Config):
    uplink: Rate | None = None


class Network(Config):
    nodes: int = Field(ge=1)
    uplink: Rate | tuple[Rate, ...]
    downlink: Annotated[Rate, Field(gt=0)] = rate("20 Mbit/s")
    latency: Duration = duration("10 ms")
    header: Size = size("0 B")
    overrides: dict[int, Access] = Field(default_factory=dict)
    half_duplex: bool = False

    @model_validator(mode="after")
    def _shared(self) -> "Network":
        if self.half_duplex and self.latency == 0:
            raise ValueError("half_duplex needs a latency")
        return self


class Compression(Config):
    kind: str


class RandK(Compression):
    kind: Literal["rand_k"] = "rand_k"
    keep: float = Field(gt=0, le=1)


class Run(Config):
    kind: str
    label: str | None = None


class FedAvg(Run):
    kind: Literal["fedavg"] = "fedavg"


class Eris(Run):
    kind: Literal["eris"] = "eris"
    aggregators: int = Field(default=2, ge=1)
    compression: Annotated[Compression, one_of(RandK)] | None = None


class Scenario(Config):
    name: str
    seed: int = 0
    rounds: int = Field(default=1, ge=1)
    barrier: Literal["phase", "round", "none"] = "round"
    compute: Literal["none"] | Annotated[Compute, one_of(Fixed)] = "none"
    task: Task = Task(dataset="digits")
    network: Network = Network(nodes=4, uplink=rate("20 Mbit/s"))
    runs: tuple[Annotated[Run, one_of(FedAvg, Eris)], ...] = Field(
        default=(FedAvg(),), min_length=1
    )


@pytest.fixture(scope="session")
def scenario() -> type[Scenario]:
    """The class of the whole example."""
    return Scenario


@pytest.fixture(scope="session")
def lines() -> Callable[..., list[str]]:
    """The lines of the error that a text makes, none if it is a good scenario."""

    def of(text: str, *checks: Check[Scenario]) -> list[str]:
        try:
            Document.of(text, "s.yaml").parse(Scenario, *checks)
        except ScenarioError as error:
            return str(error).splitlines()
        return []

    return of
