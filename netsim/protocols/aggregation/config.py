"""The ``aggregation:`` section of a centralised protocol."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from netsim.network.config import Problem
from netsim.network.topology import Guest
from netsim.scenario.config import Config

Masks = Literal["contiguous", "interleaved", "random"]
Sizes = Literal["equal", "proportional", "optimal"]


class Aggregation(Config):
    """Who sums the updates."""

    kind: str

    @abstractmethod
    def guests(self) -> tuple[Guest, ...]:
        """Nodes it needs beside the clients."""

    @abstractmethod
    def problems(self, clients: int) -> Iterator[Problem]:
        """What does not fit the number of clients."""

    @abstractmethod
    def suffix(self, clients: int) -> str:
        """What it adds to the name of a run."""

    @property
    @abstractmethod
    def redrawn(self) -> bool:
        """Whether coordinates change hands between rounds."""


class AtServer(Aggregation):
    """One server sums whole updates."""

    kind: Literal["server"] = "server"

    def guests(self) -> tuple[Guest, ...]:
        return (Guest("server"),)

    def problems(self, clients: int) -> Iterator[Problem]:
        yield from ()

    def suffix(self, clients: int) -> str:
        return ""

    @property
    def redrawn(self) -> bool:
        return False


class Fsa(Aggregation):
    """Federated shard aggregation: the first ``aggregators`` A clients (all by default) each
    sum one shard.

    ``masks``: how coordinates are dealt to shards; ``redraw``: anew each round; ``shards``:
    all of a size, in proportion to the aggregators' rates, or as a linear programme finds
    fastest.
    """

    kind: Literal["fsa"] = "fsa"
    aggregators: int | None = Field(default=None, ge=1)
    masks: Masks = "contiguous"
    redraw: bool = False
    shards: Sizes = "equal"

    def guests(self) -> tuple[Guest, ...]:
        return ()

    def problems(self, clients: int) -> Iterator[Problem]:
        if self.aggregators is not None and self.aggregators > clients:
            yield (
                ("aggregators",),
                f"{self.aggregators} aggregators among {clients} clients; write at most {clients}",
            )
        if self.redraw and self.masks != "random":
            yield ("redraw",), f"{self.masks} masks are the same each round; write masks: random"
        if self.shards != "equal" and self.masks == "interleaved":
            yield ("shards",), "interleaved shards are all of a size; write masks: contiguous"

    def suffix(self, clients: int) -> str:
        return f" (A={self.aggregators or clients})"

    @property
    def redrawn(self) -> bool:
        return self.redraw


AGGREGATIONS = (AtServer, Fsa)
