"""Training that leaves a record, and checkpoints to go on from."""

import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import final

from netsim.learning.base import Task
from netsim.network.ledger import Diverged, Ledger
from netsim.protocols.base import ProtocolConfig
from netsim.studies.play import Played, Player
from netsim.studies.replay.checkpoint import Checkpoint, Checkpoints
from netsim.studies.replay.course import Course
from netsim.studies.replay.record import Record
from netsim.studies.replay.task import RecordingTask
from netsim.studies.replay.unwrap import played_out
from netsim.studies.run import Outcome, known_of, result_of
from netsim.studies.scenario import Scenario
from netsim.wire.register import Register, registered

OnRound = Callable[[Played], None]


def train(
    scenario: Scenario,
    config: ProtocolConfig,
    label: str,
    make_task: Callable[[], Task],
    on_round: OnRound,
    checkpoints: Checkpoints | None = None,
) -> tuple[Outcome, Record | None]:
    """Run a protocol, from its last checkpoint where there is one; its record unless it failed.

    What comes out is that of a run that was never stopped.  ``on_round`` hears of the rounds
    that are new.  Raises ``ResultsError`` where a checkpoint cannot be written.
    """
    found: Iterator[Checkpoint] = iter(()) if checkpoints is None else checkpoints.found()
    for start in chain(found, [None]):
        if checkpoints is not None:
            checkpoints.drop_after(start)
        training = Training(make_task(), checkpoints, on_round, start)
        try:
            return training.run(scenario, config, label)
        except Diverged:
            if start is None:
                raise
    raise AssertionError("the last start is none at all")


@final
class Training:
    """One run from ``start``, or from the beginning."""

    def __init__(
        self,
        task: Task,
        checkpoints: Checkpoints | None,
        on_round: OnRound,
        start: Checkpoint | None,
    ) -> None:
        course = Course.of(task) if start is None else start.course
        self._register = Register() if start is None else Register(start.count, start.stored)
        self._ledger = Ledger(course.entries)
        self._task = RecordingTask(task, course, self._register)
        self._checkpoints = checkpoints
        self._on_round = on_round
        self._start = start
        self._last = 0
        self._saved_s = time.monotonic()
        if start is not None:
            task.restore(start.state)

    def run(
        self, scenario: Scenario, config: ProtocolConfig, label: str
    ) -> tuple[Outcome, Record | None]:
        """As ``train`` says; raises `Diverged` where the run is not the one that was left."""
        self._last = scenario.rounds - 1
        player = Player(scenario, config, self._task, self._ended, self._ledger)
        with registered(self._register):
            failure, deadlock = played_out(player)
            known = known_of(player)
        outcome = Outcome(result_of(player, label, failure, known), deadlock)
        if failure is not None:
            return outcome, None
        return outcome, Record.of(self._course(), known, outcome.result)

    def _ended(self, played: Played) -> None:
        start = self._start
        if start is not None and played.round <= start.round:
            same = (self._register.count, played.end_s) == (start.count, start.end_s)
            if played.round == start.round and not same:
                raise Diverged(f"round {played.round} is not the one that was left")
            return
        if played.evaluations:
            self._task.course.evaluated.append(played.round)
        self._on_round(played)
        if self._checkpoints is not None and played.round < self._last:
            self._keep(played, self._checkpoints)

    def _keep(self, played: Played, checkpoints: Checkpoints) -> None:
        """Keep a checkpoint if it is time for one."""
        if time.monotonic() - self._saved_s < checkpoints.every_s:
            return
        state = self._task.state()
        course, register = self._course(), self._register
        checkpoint = Checkpoint.take(played.round, played.end_s, course, register, state)
        if checkpoint is not None:
            checkpoints.save(checkpoint)
        self._saved_s = time.monotonic()

    def _course(self) -> Course:
        self._task.course.entries = self._ledger.entries
        return self._task.course
