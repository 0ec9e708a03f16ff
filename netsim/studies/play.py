"""Plays the rounds of one protocol in virtual time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from netsim.kernel import running_loop, sleep
from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation, Task
from netsim.network.network import Network
from netsim.network.node import Node
from netsim.network.sharing.policies import POLICIES
from netsim.network.topology import Topology
from netsim.protocols import by_kind
from netsim.protocols.base import Context, Protocol, ProtocolConfig, Role
from netsim.protocols.phases import Phases
from netsim.protocols.vector import Vector
from netsim.studies.scenario import Scenario
from netsim.studies.wired import through_wire
from netsim.wire.deferred import Deferred


@dataclass
class Played:
    """One round as it went: its times and what its models are worth."""

    round: int
    start_s: float
    end_s: float
    evaluations: list[Evaluation] = field(default_factory=list)


class Player:
    """One run: its network, its protocol, and the rounds played so far."""

    def __init__(
        self,
        scenario: Scenario,
        config: ProtocolConfig,
        task: Task,
        on_round: Callable[[Played], None],
    ) -> None:
        self.scenario = scenario
        self.config = config
        self.task = task
        self.rounds: list[Played] = []
        self.computing: list[tuple[int, float, float]] = []
        self.models: Sequence[Deferred[Vector]] = []
        self.topology = Topology.build(scenario.network, config.guests(scenario.network.nodes))
        self._on_round = on_round
        self._phases = Phases(scenario.barrier == "phase")
        self.network: Network
        self.protocol: Protocol

    async def play(self) -> None:
        """All rounds."""
        self._set_up()
        if self.scenario.barrier == "none":
            await self._play_freely()
        else:
            for round in range(self.scenario.rounds):
                await self._play_round(round)

    def _set_up(self) -> None:
        network = self.scenario.network
        sharing = POLICIES[network.sharing](self.topology.capacity_bps_L)
        deliver = through_wire if self.scenario.wire == "encode" else None
        self.network = Network(self.topology, sharing, network.count, deliver)
        nodes = [Node(self.network, index) for index in range(len(self.topology.names))]
        context = Context(
            nodes,
            self.topology,
            self.task,
            Streams(self.scenario.seed),
            self._phases,
            self._compute,
        )
        self.protocol = by_kind(self.config.kind)(self.config, context)

    async def _play_round(self, round: int) -> None:
        start = running_loop().time()
        async with asyncio.TaskGroup() as group:
            roles = self.protocol.roles()
            for _ in roles:
                self._phases.enter()
            for role in roles:
                group.create_task(self._act(role, round))
        self._finish(round, start)

    async def _act(self, role: Role, round: int) -> None:
        try:
            await role(round)
        finally:
            self._phases.leave()

    async def _play_freely(self) -> None:
        roles = self.protocol.roles()
        busy = [len(roles)] * self.scenario.rounds
        starts = [float("inf")] * self.scenario.rounds

        async def act(role: Role) -> None:
            for round in range(self.scenario.rounds):
                starts[round] = min(starts[round], running_loop().time())
                await role(round)
                busy[round] -= 1
                if busy[round] == 0:
                    self._finish(round, starts[round])

        async with asyncio.TaskGroup() as group:
            for role in roles:
                group.create_task(act(role))

    def _finish(self, round: int, start_s: float) -> None:
        self.models = self.protocol.models(round)
        played = Played(round, start_s, running_loop().time())
        last = round == self.scenario.rounds - 1
        if self.task.values and (last or (round + 1) % self.scenario.evaluate.every == 0):
            played.evaluations = self.task.evaluate(self.models)
        self.rounds.append(played)
        self._on_round(played)

    async def _compute(self, client: int, round: int) -> None:
        time_s = self.scenario.compute.time_s(self._samples(client))
        if time_s > 0:
            start = running_loop().time()
            await sleep(time_s)
            self.computing.append((round, start, start + time_s))

    def _samples(self, client: int) -> int:
        """Samples the client works through in a round."""
        held, task = int(self.task.samples[client]), self.scenario.task
        if task is None:
            return held
        batch = held if task.batch == "full" else min(held, task.batch)
        return task.local_steps * batch
