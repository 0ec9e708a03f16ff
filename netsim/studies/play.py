"""Plays the rounds of one protocol in virtual time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from netsim.kernel import running_loop, sleep, waiting
from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation, Task
from netsim.network.config import NetworkConfig
from netsim.network.faults.attendance import Attendance
from netsim.network.faults.config import Failures
from netsim.network.faults.guard import Guard
from netsim.network.ledger import Ledger
from netsim.network.network import Network
from netsim.network.node import Node
from netsim.network.sharing.base import Sharing
from netsim.network.sharing.policies import POLICIES
from netsim.network.topology import Guest, Topology
from netsim.network.transport.links import over_tcp
from netsim.protocols import by_kind
from netsim.protocols.base import Context, Protocol, ProtocolConfig, Role
from netsim.protocols.phases import Phases
from netsim.protocols.vector import Vector
from netsim.studies.evaluating import Evaluating
from netsim.studies.presence import Presence
from netsim.studies.scenario import Scenario
from netsim.studies.upheaval import Patience, start, start_rates
from netsim.studies.wired import through_wire
from netsim.wire.deferred import Deferred


@dataclass
class Played:
    """One round as it went: its times, its learning rate (None in a volume), and what its models
    are worth."""

    round: int
    start_s: float
    end_s: float
    lr: float | None = None
    evaluations: list[Evaluation] = field(default_factory=list)


class Player:
    """One run: its network, its protocol, and the rounds played so far."""

    def __init__(
        self,
        scenario: Scenario,
        config: ProtocolConfig,
        task: Task,
        on_round: Callable[[Played], None],
        ledger: Ledger | None = None,
    ) -> None:
        self.scenario = scenario
        self.config = config
        self.task = task
        self.rounds: list[Played] = []
        self.computing: list[tuple[int, int, float, float]] = []
        self.models: Sequence[Deferred[Vector]] = []
        self._begun = set[int]()
        self._busy = 0
        self._ledger = ledger
        self._guests = config.guests(scenario.network.nodes)
        self.topology = Topology.build(scenario.network, self._guests, Streams(scenario.seed))
        self._on_round = on_round
        self._timer = scenario.compute.timer(
            task.clients, self.topology.class_K, Streams(scenario.seed)
        )
        self._evaluating = Evaluating(scenario)
        self._phases = Phases(scenario.barrier == "phase")
        self._presence: Presence | None = None
        self.network: Network
        self.protocol: Protocol
        self._roles: Sequence[Role]

    async def play(self) -> None:
        """All rounds."""
        self._set_up()
        if self.scenario.barrier == "none":
            await self._play_freely()
        else:
            for round in range(self.scenario.rounds):
                await self._play_round(round)

    def _set_up(self) -> None:
        scenario, names = self.scenario, self.topology.names
        streams, kind = Streams(scenario.seed), by_kind(self.config.kind)
        attendance = Attendance(len(names), kind.messages)
        guard = Guard(scenario.failures, self.topology, attendance, streams)
        self.network = Network(
            self.topology,
            make_sharing(scenario.network, self.topology),
            scenario.network.count,
            through_wire if scenario.wire == "encode" else None,
            guard if scenario.failures != Failures() else None,
            scenario.network.transport,
            self._ledger,
        )
        nodes = [Node(self.network, index) for index in range(len(names))]
        context = Context(
            nodes,
            self.topology,
            self.task,
            streams,
            self._phases,
            self._compute,
            scenario.rounds,
            scenario.participation,
        )
        self.protocol = kind(self.config, context)
        self._roles = self.protocol.roles()
        patience = Patience(scenario.patience, lambda: self._busy > 0)
        start_rates(scenario.network, self.network, patience)
        if scenario.failures != Failures():
            owner_N = owners(scenario.network.nodes, self._guests)
            presence = Presence(
                scenario.failures, streams, self.network, owner_N, scenario.network.nodes
            )
            start(scenario.failures, streams, self.network, presence, patience)
            self._presence = presence

    async def _play_round(self, round: int) -> None:
        start_s = running_loop().time()
        async with asyncio.TaskGroup() as group:
            roles = self._attending(self._roles, round)
            self.network.begin(round)
            for _ in roles:
                self._phases.enter()
            for role in roles:
                name = self.topology.names[role.node]
                task = group.create_task(role.act(round), name=name)
                if self._phases.barrier:
                    task.add_done_callback(lambda _: self._phases.leave())
                if self._presence is not None:
                    self._presence.watch(role, round, task)
        self._finish(round, start_s)

    def _attending(self, roles: Sequence[Role], round: int) -> Sequence[Role]:
        return roles if self._presence is None else self._presence.attending(roles, round)

    async def _play_freely(self) -> None:
        roles = self._roles
        busy = [len(roles)] * self.scenario.rounds
        starts = [float("inf")] * self.scenario.rounds
        playing: dict[int, frozenset[Role]] = {}

        async def act(at: int) -> None:
            for round in range(self.scenario.rounds):
                if starts[round] == float("inf"):
                    starts[round] = running_loop().time()
                    self.network.begin(round)
                    playing[round] = frozenset(self._attending(roles, round))
                if roles[at] in playing[round]:
                    await roles[at].act(round)
                busy[round] -= 1
                if busy[round] == 0:
                    del playing[round]
                    self._finish(round, starts[round])

        async with asyncio.TaskGroup() as group:
            for at in range(len(roles)):
                group.create_task(act(at))

    def _finish(self, round: int, start_s: float) -> None:
        self.models = self.protocol.models(round)
        self.network.forget(round)
        lr = self.task.rate(round) if self.task.values else None
        played = Played(round, start_s, running_loop().time(), lr)
        if self.task.values and self._evaluating.is_due(round, played.end_s):
            played.evaluations = self._evaluating.evaluate(self.task, self.models)
            self.task.observe(round, played.evaluations)
        self.rounds.append(played)
        self._on_round(played)

    async def _compute(self, client: int, round: int) -> None:
        if self.scenario.compute.instant:
            return
        held, task = int(self.task.samples[client]), self.scenario.task
        begins = client not in self._begun
        work = held if task is None else task.work_of(held, round, begins)
        time_s = self._timer(client, round, work)
        if time_s > 0:
            start = running_loop().time()
            self._busy += 1
            try:
                with waiting(self.topology.names[client], "the end of its training"):
                    await sleep(time_s)
            finally:
                self._busy -= 1
            self.computing.append((round, client, start, start + time_s))
        self._begun.add(client)


def make_sharing(config: NetworkConfig, topology: Topology) -> Sharing:
    """How the links of ``topology`` are shared, and paced where the transport is TCP."""
    sharing = POLICIES[config.sharing](topology.capacity_bps_L)
    return over_tcp(sharing, config.transport, topology)


def owners(clients: int, guests: Sequence[Guest]) -> npt.NDArray[np.int64]:
    """The client that each node belongs to, −1 for none."""
    of = [guest.like if guest.host is None else guest.host for guest in guests]
    return np.array([*range(clients), *(-1 if client is None else client for client in of)])
