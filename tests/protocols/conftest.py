"""Runs of one protocol, on a task small enough to check by hand or on digits."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from netsim.kernel import run, sleep
from netsim.kernel.streams import Streams
from netsim.learning.base import Evaluation, Task
from netsim.network.failures import LinkDown
from netsim.network.table import MOVING, MessageTable
from netsim.results.records import Transfers
from netsim.studies.play import Player
from netsim.studies.records import transfers_of
from netsim.studies.scenario import Scenario
from netsim.wire.deferred import Deferred

STEP_S = 0.2e-3
MOST_STEPS = 5000
Trouble = Callable[[MessageTable, Any], Any]
RATES = {"uplink": "1 MB/s", "downlink": "1 MB/s", "latency": "0 s"}


class Toy(Task):
    """Each client is pulled towards a point of its own: update = model − point + noise.

    Cheap, and as rough in its bits as a real gradient.
    """

    values = True

    def __init__(self, clients: int, n: int, samples: Any = None, lr: float = 0.1) -> None:
        self.n, self.clients, self.lr = n, clients, lr
        self.samples = np.array(samples or [3 + k % 3 for k in range(clients)], np.int64)
        rng = np.random.default_rng(5)
        self.points = rng.normal(size=(clients, n)).astype(np.float32)
        self.initial = Deferred.of(rng.normal(size=n).astype(np.float32))

    def update(self, client: int, model: Any, round: int) -> Any:
        noise = np.random.default_rng([client, round]).normal(size=self.n).astype(np.float32)
        if not self.samples[client]:
            return Deferred.of(np.zeros(self.n, np.float32))
        return Deferred(lambda: model.value() - self.points[client] + np.float32(0.1) * noise)

    def defer(self, compute: Any) -> Any:
        return Deferred(compute)

    def evaluate(self, models: Any, nodes: Any = None) -> list[Evaluation]:
        return [Evaluation(0.0, 0.0) for _ in models]


@dataclass
class Run:
    """What came out: the player, all transfers, and every model after every round."""

    player: Player
    transfers: Transfers
    models: list[list[Any]] = field(default_factory=list)

    @property
    def end_s(self) -> float:
        """When the last round ended."""
        return self.player.rounds[-1].end_s


@pytest.fixture
def toy() -> Callable[..., Toy]:
    """Makes the toy task: clients, coordinates, samples, lr."""
    return Toy


@pytest.fixture
def play() -> Callable[..., Run]:
    """Plays ``protocol`` (an entry of ``runs:``) on a task; other settings as in a scenario.

    ``every_round(player)`` is called when a round has ended.  ``trouble(table, moving)`` is asked
    again and again, of the rows that are on their way, which ones to abort; the latency is then
    1 ms by default, so that no message slips through.
    """

    def go(
        protocol: dict[str, Any],
        task: Task,
        rounds: int = 2,
        network: dict[str, Any] | None = None,
        every_round: Callable[[Player], None] | None = None,
        trouble: Trouble | None = None,
        **settings: Any,
    ) -> Run:
        latency = {} if trouble is None else {"latency": "1 ms"}
        access = RATES | latency | {"nodes": task.clients} | (network or {})
        scenario = Scenario.model_validate(
            {"name": "test", "seed": 7, "rounds": rounds, "network": access, "runs": [protocol]}
            | settings
        )
        models: list[list[Any]] = []

        def ended(_: Any) -> None:
            if task.values:
                models.append([model.value().copy() for model in player.models])
            if every_round is not None:
                every_round(player)

        player = Player(scenario, scenario.runs[0], task, ended)
        run(player.play() if trouble is None else _troubled(player, trouble))
        player.network.close()
        return Run(player, transfers_of(player.network, player.protocol.messages), models)

    return go


@pytest.fixture
def at_random() -> Callable[[int, float], Trouble]:
    """Trouble that aborts each message that is on its way with a small chance, from a seed."""

    def make(seed: int, chance: float = 0.03) -> Trouble:
        rng = Streams(seed).rng("trouble")
        return lambda table, moving: moving[rng.random(len(moving)) < chance]

    return make


@pytest.fixture
def those() -> Callable[..., Trouble]:
    """Trouble that aborts every message of a kind, with these values in other columns."""

    def make(kind: str, **columns: int) -> Trouble:
        def chosen(table: MessageTable, moving: Any) -> Any:
            names = np.array(table.kinds, object)
            hit = names[table.kind[moving]] == kind
            for name, value in columns.items():
                hit &= getattr(table, name)[moving] == value
            return moving[hit]

        return chosen

    return make


async def _troubled(player: Player, trouble: Trouble) -> None:
    playing = asyncio.create_task(player.play())
    for _ in range(MOST_STEPS):
        await sleep(STEP_S)
        if playing.done():
            break
        table = player.network.table
        moving = np.flatnonzero(table.status[: table.rows] == MOVING)
        player.network.fail(trouble(table, moving), LinkDown, "test")
    await playing
