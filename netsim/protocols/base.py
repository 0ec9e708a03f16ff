"""What every protocol is made of."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.learning.base import Learner
from netsim.network.config import Problem
from netsim.network.node import Node
from netsim.network.topology import Guest, Topology
from netsim.protocols.phases import Phases
from netsim.scenario.config import Config
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.payload import Payload

Role = Callable[[int], Awaitable[None]]


@dataclass(frozen=True)
class Paper:
    """Where a protocol comes from: a short citation and its BibTeX entry."""

    cite: str
    bibtex: str


class ProtocolConfig(Config):
    """One entry of ``runs:``.  Each protocol adds its own fields and its ``kind``."""

    kind: str
    label: str | None = None

    def problems(self, clients: int) -> Iterator[Problem]:
        """What does not fit the number of clients."""
        yield from ()

    def guests(self, clients: int) -> tuple[Guest, ...]:
        """Nodes the protocol brings beside the clients."""
        return ()


@dataclass(frozen=True)
class Context:
    """What a protocol runs on.  Shapes: K clients, N nodes (clients first, then guests)."""

    nodes: Sequence[Node]
    topology: Topology
    learner: Learner
    streams: Streams
    phases: Phases
    compute: Callable[[int], Awaitable[None]]


class Protocol(ABC):
    """A distributed learning algorithm as roles of nodes.

    A role is a coroutine of one node (or one part it plays) for one round.  Roles of a round
    run side by side and meet only in messages.
    """

    title: ClassVar[str]
    paper: ClassVar[Paper]
    Config: ClassVar[type[ProtocolConfig]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.nodes = context.nodes
        self.learner = context.learner
        self.clients = range(context.learner.clients)
        self.trainers = [k for k in self.clients if context.learner.samples[k] > 0]

    @abstractmethod
    def roles(self) -> Sequence[Role]:
        """The roles of a round, each called with the round's number."""

    @abstractmethod
    def models(self) -> Sequence[Deferred]:
        """The models after the last finished round: one global one, or one a node."""

    @abstractmethod
    def formula(self) -> tuple[str, float] | None:
        """Name and value, s, of the closed form for a round's distribution time, if any."""

    async def update(self, client: int, model: Deferred, round: int) -> Deferred:
        """The client's local training: takes the scenario's compute time."""
        await self.context.compute(client)
        return self.learner.update(client, model, round)

    def dense(self, value: Deferred, size: int | None = None) -> Payload:
        """All coordinates of a vector of ``size`` (the model's by default), float32."""
        return Dense().payload(value, self.learner.n if size is None else size)

    def weights(self, clients: Sequence[int], rule: str) -> dict[int, float]:
        """Each client's weight among ``clients``: by its samples, or the same for all."""
        counts = self.learner.samples[list(clients)]
        shares: npt.NDArray[Any] = counts if rule == "samples" else np.ones(len(counts))
        return dict(zip(clients, (shares / shares.sum()).tolist(), strict=True))
