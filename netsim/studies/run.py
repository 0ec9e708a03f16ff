"""Runs a scenario: every protocol of it, one after the other, to a result folder."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from netsim.kernel import Deadlock, Streams, run
from netsim.learning.base import Task
from netsim.learning.errors import LearningError, ModelDiverged, ModelFailed
from netsim.learning.metrics import METRIC
from netsim.learning.volume import VolumeTask
from netsim.network.failures import TransferFailed
from netsim.protocols.base import ProtocolConfig
from netsim.results import digest, folder, measure
from netsim.results.critical import Span
from netsim.results.links import link_use
from netsim.results.manifest import build_manifest
from netsim.results.nodes import NodeTable
from netsim.results.progress import RunProgress
from netsim.results.records import (
    Bound,
    Computations,
    RoundRecord,
    RunResult,
    Traffic,
    Transfers,
)
from netsim.results.why import explain
from netsim.scenario.resolve import dump
from netsim.studies.play import Played, Player
from netsim.studies.records import optimum_s, transfers_of
from netsim.studies.scenario import Scenario
from netsim.studies.seen import seen_shares
from netsim.studies.settled import settled
from netsim.studies.worth import worth


@dataclass(frozen=True)
class Outcome:
    """A run's result, and the report of the deadlock it ended in, if it did."""

    result: RunResult
    deadlock: Deadlock | None = None


@dataclass(frozen=True)
class Known:
    """What only the values of a run tell: the digest of its models and its protocol's notes."""

    model_digest: str | None
    notes: Mapping[str, Any]
    gradients: str | None = None


RunOne = Callable[[ProtocolConfig, str], Outcome]
"""Runs one protocol under a label."""


def run_scenario(
    scenario: Scenario,
    out: Path,
    data: Path | None,
    progress: RunProgress,
    run_one: RunOne | None = None,
) -> list[Outcome]:
    """Run everything, each protocol by ``run_one`` if given, and write the results to ``out``.

    Raises `ResultsError` when ``out`` cannot be written (before anything runs), and
    `LearningError` when the task cannot be set up.
    """
    folder.check_writable(out)
    begun = time.perf_counter()
    if run_one is None:
        run_one = plainly(scenario, data, progress)
    outcomes = [
        run_one(config, label)
        for config, label in zip(scenario.runs, scenario.labels(), strict=True)
    ]
    resolved = dump(settled(scenario, outcomes[0].result))
    manifest = build_manifest(resolved, scenario.seed, time.perf_counter() - begun)
    results = [outcome.result for outcome in outcomes]
    folder.write(out, scenario.name, scenario.seed, results, resolved, manifest)
    return outcomes


def plainly(scenario: Scenario, data: Path | None, progress: RunProgress) -> RunOne:
    """Runs each protocol from its beginning."""
    make_task = task_factory(scenario, data)
    return lambda config, label: run_protocol(scenario, config, label, make_task(), progress)


def task_factory(scenario: Scenario, data: Path | None) -> Callable[[], Task]:
    """What makes a fresh task for each run."""
    clients = scenario.network.nodes
    if scenario.volume is not None:
        parameters = scenario.volume.parameters
        return lambda: VolumeTask(parameters, clients)
    from netsim.learning.task import TrainingTask

    task = scenario.task
    assert task is not None, "a scenario has a task or a volume"
    streams, sample = Streams(scenario.seed), scenario.evaluate.sample
    return lambda: TrainingTask.build(task, clients, streams, data, sample)


def run_protocol(
    scenario: Scenario, config: ProtocolConfig, label: str, task: Task, progress: RunProgress
) -> Outcome:
    """One protocol from its first round to its last, or to where it fails."""
    progress.start(label, scenario.rounds)
    player = Player(
        scenario,
        config,
        task,
        lambda played: progress.advance(label, announced(played), task.metric),
    )
    failure, deadlock = play(player)
    progress.finish(label)
    return Outcome(result_of(player, label, failure, known_of(player)), deadlock)


def play(player: Player) -> tuple[str | None, Deadlock | None]:
    """Play to the end; what went wrong with the run, if anything, and its deadlock if it is one."""
    failure, deadlock = None, None
    try:
        run(player.play())
    except Deadlock as error:
        failure, deadlock = "deadlock", error
    except (ExceptionGroup, LearningError) as error:
        failure = _reason(_expected(error), player)
    player.network.close()
    return failure, deadlock


def _expected(error: Exception) -> LearningError | TransferFailed:
    """The failed training inside ``error``, or the failed transfer that a protocol did not expect;
    whatever else is in it is our fault and is raised."""
    found = error
    if isinstance(error, ExceptionGroup):
        faults = error.split((LearningError, TransferFailed))[1]
        if faults is not None:
            raise faults
    while isinstance(found, ExceptionGroup):
        found = found.exceptions[0]
    assert isinstance(found, LearningError | TransferFailed)
    return found


def _reason(error: LearningError | TransferFailed, player: Player) -> str:
    """What went wrong, in which round, and with whose model."""
    if isinstance(error, TransferFailed):
        text = f"{player.config.kind} does not say what a node does then (except TransferFailed)"
        return f"in round {len(player.rounds)} {error}, and {text}"
    if isinstance(error, ModelFailed):
        return f"in round {len(player.rounds)} {error.message}"
    if not isinstance(error, ModelDiverged):
        return str(error)
    whose = f"model of {player.topology.names[error.model]}" if len(player.models) > 1 else "model"
    return (
        f"the {whose} diverged in round {len(player.rounds)}: its loss on the test set is not "
        "finite; try a smaller lr"
    )


def _model_digest(player: Player) -> str | None:
    """None where there are no values, or none came out of the last round."""
    if not player.task.values or not player.models:
        return None
    try:
        return digest.model_digest(each.value() for each in player.models)
    except LearningError:
        return None


def known_of(player: Player) -> Known:
    """From the values themselves, after a run."""
    return Known(_model_digest(player), dict(player.protocol.notes()), player.task.gradients)


def result_of(player: Player, label: str, failure: str | None, known: Known) -> RunResult:
    """The result of a run that is over."""
    transfers = transfers_of(player.network, player.protocol.messages)
    model = known.model_digest
    spans = _spans(player.rounds)
    return RunResult(
        label=label,
        protocol=player.config.kind,
        params=_params(player.config, known.notes),
        rounds=tuple(_records(player, transfers, spans)),
        transfers=transfers,
        digest=digest.run_digest(transfers, model),
        model_digest=model,
        bound=_bound(player, transfers),
        failure=failure,
        targets=_targets(player),
        metric=player.task.metric,
        links=link_use(transfers, player.topology, spans),
        gradients=known.gradients,
        nodes=NodeTable.of(player.topology, _samples(player)),
    )


def _samples(player: Player) -> npt.NDArray[np.int64]:
    """What each client trains on; none at all where only sizes matter."""
    samples = player.task.samples
    return samples[:0] if player.scenario.task is None else samples


def _targets(player: Player) -> tuple[float, ...]:
    """Accuracies to be reached, where there is an accuracy."""
    rated = player.task.metric == METRIC["rating"]
    return player.scenario.targets if player.task.values and not rated else ()


def _spans(rounds: Sequence[Played]) -> list[Span]:
    """Each round from the end of the last one to its own end."""
    starts_s = [0.0, *(played.end_s for played in rounds)]
    return [
        Span(played.round, start_s, played.end_s)
        for played, start_s in zip(rounds, starts_s, strict=False)
    ]


def _records(player: Player, transfers: Transfers, spans: Sequence[Span]) -> Iterator[RoundRecord]:
    distribution = measure.distribution_times(transfers)
    traffic = measure.traffic_by_round(transfers)
    computing = Computations.of(player.computing)
    whys = explain(transfers, computing, player.topology, spans)
    shares, on_link = seen_shares(player), transfers.on_link
    for played, span, why, share in zip(player.rounds, spans, whys, shares, strict=True):
        mine = on_link & (transfers.round == played.round)
        own = computing.round == played.round
        start_C, end_C = computing.start_s[own], computing.end_s[own]
        busy_s = measure.union_length(
            np.concatenate([transfers.start_s[mine], start_C]),
            np.concatenate([transfers.end_s[mine], end_C]),
        )
        evaluated = worth(played.evaluations)
        yield RoundRecord(
            round=played.round,
            start_s=span.start_s,
            end_s=played.end_s,
            distribution_s=distribution.get(played.round, 0.0),
            compute_s=measure.union_length(start_C, end_C),
            idle_s=max(0.0, span.end_s - span.start_s - busy_s),
            traffic=traffic.get(played.round, Traffic()),
            lr=played.lr,
            why=why,
            seen_share=share,
            **evaluated,
        )


def announced(played: Played) -> RoundRecord:
    """What is known of a round as soon as it is over."""
    return RoundRecord(
        played.round,
        played.start_s,
        played.end_s,
        None,
        0.0,
        0.0,
        Traffic(),
        **worth(played.evaluations),
    )


def _params(config: ProtocolConfig, notes: Mapping[str, Any]) -> dict[str, Any]:
    """The run's settings, and what its protocol notes beside them."""
    params = config.model_dump(mode="json", exclude={"kind", "label"})
    return params | ({"notes": dict(notes)} if notes else {})


def _bound(player: Player, transfers: Transfers) -> Bound | None:
    """That of the rounds that were completed; None where rates change over time, as the bounds
    are those of constant rates."""
    if player.scenario.network.traces:
        return None
    if len(player.rounds) < player.scenario.rounds:
        complete = np.isin(transfers.round, [played.round for played in player.rounds])
        transfers = transfers.select(complete)
    formula, overlapping = player.protocol.formula(), player.scenario.barrier == "none"
    name, formula_s = (None, None) if formula is None else formula
    optimum = None if overlapping else optimum_s(transfers, player.topology)
    times = [t for t in measure.distribution_times(transfers).values() if t is not None]
    ratio = float(np.mean(times)) / optimum if optimum and times else None
    if formula_s is not None and not np.isfinite(formula_s):
        formula_s = None
    return Bound(name, formula_s, optimum, ratio)
