"""What every protocol is made of."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from netsim.kernel import sleep
from netsim.kernel.streams import Streams
from netsim.learning.base import Task
from netsim.network.config import Problem
from netsim.network.node import Node
from netsim.network.topology import Guest, Int64, Topology
from netsim.protocols.participation import EVERYONE, Sampling
from netsim.protocols.phases import Phases
from netsim.protocols.vector import Vector, zeros
from netsim.scenario.config import Config
from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.payload import Payload


class Role(NamedTuple):
    """A part that ``node`` plays: ``act`` is the coroutine of a round, ``name`` what it is."""

    node: int
    name: str
    act: Callable[[int], Coroutine[Any, Any, None]]


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

    def describe(self, clients: int) -> str:
        """What the run is called when it has no label."""
        return self.kind

    def needs_values(self) -> bool:
        """Whether sizes of messages depend on their values, which a volume run does not have."""
        return False

    def needs_everyone(self) -> bool:
        """Whether all clients must take part in every round."""
        return False

    def needs_rounds(self) -> bool:
        """Whether no node may start a round before all have ended the last."""
        return False

    def rounds_needed(self) -> Problem:
        """Which field asks for such rounds, and why, where it ``needs_rounds``."""
        return (), "needs rounds that end together"


@dataclass(frozen=True)
class Context:
    """What a protocol runs on, for ``rounds`` rounds in all.

    Shapes: K clients, N nodes (clients first, then guests).  ``participation``: how many
    clients, or which share of them, train in a round.
    """

    nodes: Sequence[Node]
    topology: Topology
    task: Task
    streams: Streams
    phases: Phases
    compute: Callable[[int, int], Awaitable[None]]
    rounds: int
    participation: int | float = EVERYONE


class Protocol(ABC):
    """A distributed learning algorithm as roles of nodes.

    A role is a coroutine of one node (or one part it plays) for one round.  Roles of a round
    run side by side and meet only in messages.
    """

    title: ClassVar[str]
    paper: ClassVar[Paper]
    messages: ClassVar[Mapping[str, tuple[str, str]]]
    Config: ClassVar[type[ProtocolConfig]]

    def __init__(self, config: Any, context: Context) -> None:
        self.config = config
        self.context = context
        self.nodes = context.nodes
        self.task = context.task
        self.clients = range(context.task.clients)
        self.trainers = [k for k in self.clients if context.task.samples[k] > 0]
        self.sampling = Sampling(context.participation, self.trainers, context.streams)
        self._read_at_once = config.needs_values()

    @abstractmethod
    def roles(self) -> Sequence[Role]:
        """The roles of a round."""

    @abstractmethod
    def models(self, round: int) -> "Sequence[Deferred[Vector]]":
        """The models after a round: one global one, or one a client.

        Asked once a round, in order, when all its roles have ended.
        """

    @abstractmethod
    def formula(self) -> tuple[str, float] | None:
        """Name and value, s, of the closed form for a round's distribution time, if any."""

    def coordinates(self, payload_bits_M: Int64, receiver_M: Int64) -> Int64 | None:
        """How many coordinates of its sender's update, or model, each of M messages carries.

        Of messages from those who do not aggregate.  Quantised and noisy ones count.  None where
        that cannot be said, or where messages of a round from one sender may carry the same ones
        in part.
        """
        return None

    def notes(self) -> Mapping[str, Any]:
        """What else is worth reporting of a run so far, by name."""
        return {}

    async def update(self, client: int, model: Deferred[Vector], round: int) -> Deferred[Vector]:
        """The client's local training: takes the scenario's compute time.

        Nothing, at once, for one that does not train in the round.
        """
        if not self.sampling.trains(client, round):
            return self.task.defer(lambda: zeros(self.task.n))
        await self.context.compute(client, round)
        update = self.task.update(client, model, round)
        if self._read_at_once:
            # Others that have trained by this instant are known before the first update is
            # read: then they are computed together.
            await sleep(0)
        return update

    def dense(self, value: Deferred[Vector]) -> Payload[Vector]:
        """All coordinates of a model, float32."""
        return Dense().payload(value, self.task.n)

    def weights(self, clients: Sequence[int], rule: str) -> dict[int, float]:
        """Each client's weight among ``clients``: by its samples, or the same for all."""
        counts = self.task.samples[list(clients)]
        shares: npt.NDArray[Any] = counts if rule == "samples" else np.ones(len(counts))
        return dict(zip(clients, (shares / shares.sum()).tolist(), strict=True))
