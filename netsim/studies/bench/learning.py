"""The cases of ``netsim bench learning``."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from netsim.kernel import run
from netsim.kernel.streams import Streams
from netsim.learning.build import assemble
from netsim.learning.config import TaskConfig
from netsim.learning.datasets.base import Data, Inputs, Labels
from netsim.learning.errors import DatasetMissing
from netsim.learning.holdings import client_parts
from netsim.learning.models.initial import initial_model
from netsim.learning.task import TrainingTask
from netsim.scenario.document import Document
from netsim.studies.bench.plain_loop import PlainLoop
from netsim.studies.bench.processes import main, peak_memory
from netsim.studies.bench.trained import Trained
from netsim.studies.play import Played, Player
from netsim.studies.scenario import Scenario, problems

_SCENARIO = """
name: bench
rounds: {rounds}
task: {{dataset: {dataset}, model: {model}, samples_per_client: {samples}, lr: 0.01}}
network: {{nodes: {clients}, uplink: 20 Mbit/s, downlink: 20 Mbit/s, latency: 10 ms}}
evaluate: {{every: {rounds}}}
runs: [{run}]
"""
_THREADS = (1, 2)
_SHAPES = {"mnist": (1, 28, 28), "cifar10": (3, 32, 32)}
_FEW = 10


@dataclass(frozen=True)
class Case:
    """``clients`` who hold ``samples`` each and train ``model`` for ``rounds`` rounds, ``turn``
    at a time."""

    model: str
    samples: int
    rounds: int
    turn: int = 1
    clients: int = 50
    dataset: str = "mnist"
    run: str = "{kind: fedavg}"

    def scenario(self) -> Scenario:
        """The scenario, tested after the last round only."""
        text = _SCENARIO.format(**self.__dict__)
        return Document.of(text, "bench").parse(Scenario, problems)

    def data(self, config: TaskConfig) -> Data:
        """The published data, or as many random images where it is missing; tested on few."""
        try:
            found = config.dataset.load()
        except DatasetMissing:
            found = _random(_SHAPES[self.dataset], self.clients * self.samples)
        return replace(
            found, test_inputs=found.test_inputs[:_FEW], test_labels=found.test_labels[:_FEW]
        )


def _random(shape: tuple[int, ...], samples: int) -> Data:
    rng = Streams(0).rng("bench")
    inputs = rng.random((samples + _FEW, *shape), np.float32)
    labels = rng.integers(0, 10, samples + _FEW)
    return Data(inputs[:samples], labels[:samples], inputs[samples:], labels[samples:], 10)


class Stopwatch:
    """Times rounds, and those of the peer, with one thread and with more.

    netsim and the peer take turns of ``turn`` rounds each.  The first round of a turn does not
    count, unless it is the only one: it finds the caches as the other left them, and its threads
    still awake.  ``seconds`` are of wall time, ``cpu_seconds`` those the process computed.
    """

    def __init__(self, peer: PlainLoop | None = None, turn: int = 1) -> None:
        self._peer = peer
        self._turn = turn
        self._rounds = 0
        self.seconds: list[float] = []
        self.cpu_seconds: list[float] = []
        self.peer_seconds: dict[int, list[float]] = {threads: [] for threads in _THREADS}
        self._begun, self._cpu_begun = time.perf_counter(), time.process_time()

    def __call__(self, played: Played) -> None:
        if self._counts(self._rounds):
            self.seconds.append(time.perf_counter() - self._begun)
            self.cpu_seconds.append(time.process_time() - self._cpu_begun)
        self._rounds += 1
        if self._peer is not None and self._rounds % self._turn == 0:
            for threads in self.peer_seconds:
                self._measure(self._peer, threads)
        self._begun, self._cpu_begun = time.perf_counter(), time.process_time()

    def _measure(self, peer: PlainLoop, threads: int) -> None:
        torch.set_num_threads(threads)
        for at in range(self._turn):
            begun = time.perf_counter()
            peer.round()
            if self._counts(at):
                self.peer_seconds[threads].append(time.perf_counter() - begun)

    def _counts(self, round: int) -> bool:
        return self._turn == 1 or round % self._turn > 0


def beside_the_loop(name: str, case: Case) -> Trained:
    """Rounds of netsim and of a plain loop by turns; the first turn, and the last, which is
    tested, are left out.

    The ratio is the median of those within the turns: how fast a machine is changes over time.
    """
    scenario = case.scenario()
    assert scenario.task is not None
    data = case.data(scenario.task)
    peer = _peer(scenario.task, data, case.clients)
    error = _error(assemble(scenario.task, data, case.clients, Streams(scenario.seed)), peer)
    watch = Stopwatch(peer, case.turn)
    task = played(scenario, scenario.task, data, watch)
    ours = medians(watch.seconds, case.turn)[1:-1]
    peers = {of: medians(them, case.turn)[1:-1] for of, them in watch.peer_seconds.items()}
    threads = min(peers, key=lambda of: statistics.median(peers[of]))
    theirs, seconds = peers[threads], statistics.median(ours)
    return Trained(
        name,
        seconds,
        1 / seconds,
        peak_memory(),
        task.gradients or "",
        f"PyTorch loop, {threads} thread{'s' if threads > 1 else ''}",
        statistics.median(theirs),
        statistics.median(their / our for their, our in zip(theirs, ours, strict=True)),
        error,
    )


def medians(seconds: Sequence[float], turn: int) -> list[float]:
    """The median of the rounds that count of each turn."""
    count = max(1, turn - 1)
    parts = [seconds[first : first + count] for first in range(0, len(seconds), count)]
    return [statistics.median(part) for part in parts]


def one_round(name: str, case: Case) -> Trained:
    """A single round, tested at its end: what it takes in memory."""
    scenario = case.scenario()
    assert scenario.task is not None
    watch = Stopwatch()
    task = played(scenario, scenario.task, case.data(scenario.task), watch)
    seconds = sum(watch.seconds)
    return Trained(name, seconds, 1 / seconds, peak_memory(), task.gradients or "")


def played(scenario: Scenario, config: TaskConfig, data: Data, watch: Stopwatch) -> TrainingTask:
    """The task of a scenario's first run, played to its end."""
    task = assemble(config, data, scenario.network.nodes, Streams(scenario.seed))
    run(Player(scenario, scenario.runs[0], task, watch).play())
    return task


def _error(task: TrainingTask, peer: PlainLoop) -> float:
    """The largest relative difference of a client's gradient from the peer's; running statistics,
    which come after the gradient in an update, are left out."""
    updates = [task.update(k, task.initial, 0) for k in range(task.clients)]
    worst = 0.0
    for update, theirs in zip(updates, peer.gradients(), strict=True):
        ours = torch.from_numpy(update.value()[: len(theirs)].copy())
        worst = max(worst, float((ours - theirs).norm() / theirs.norm()))
    return worst


def _peer(config: TaskConfig, data: Data, clients: int) -> PlainLoop:
    """The same model from the same start, and each client's samples."""
    module = config.model.build(data.signature)
    start = initial_model(config.model, data.signature, Streams(0))
    module.load_state_dict(start.module.state_dict())
    held = [
        (torch.from_numpy(inputs), torch.from_numpy(labels))
        for inputs, labels in samples_of(config, data, clients)
    ]
    return PlainLoop(module, held, config.lr)


def samples_of(config: TaskConfig, data: Data, clients: int) -> list[tuple[Inputs, Labels]]:
    """Each client's inputs and labels."""
    parts = client_parts(config, data, clients, Streams(0)).training
    return [(data.train_inputs[part], data.train_labels[part]) for part in parts]


def _rounds(case: Case) -> Callable[[str], Trained]:
    return lambda name: beside_the_loop(name, case)


def _memory(case: Case) -> Callable[[str], Trained]:
    return lambda name: one_round(name, case)


CASES: dict[str, Callable[[str], Trained]] = {
    "cepam_mlp_16": _rounds(Case("cepam_mlp", 16, 200, turn=10)),
    "lenet5_4": _rounds(Case("lenet5", 4, 32, turn=4)),
    "lenet5_16": _rounds(Case("lenet5", 16, 20, turn=4)),
    "lenet5_64": _rounds(Case("lenet5", 64, 12, turn=2)),
    "resnet9_16": _rounds(Case("resnet9", 16, 5, dataset="cifar10")),
    "fedavg_1000": _memory(Case("resnet9", 1, 1, clients=1000, dataset="cifar10")),
    "eris_1000": _memory(
        Case("resnet9", 1, 1, clients=1000, dataset="cifar10", run="{kind: eris}")
    ),
}
"""What is measured, by name; each in a process of its own."""

if __name__ == "__main__":
    main(CASES)
