"""``netsim run`` that goes on where it was killed."""

import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import final

from netsim.learning.base import Task
from netsim.network.ledger import Diverged
from netsim.protocols.base import ProtocolConfig
from netsim.results import folder
from netsim.results.progress import RunProgress
from netsim.studies.replay.bundle import BundleDamaged
from netsim.studies.replay.checkpoint import Checkpoints
from netsim.studies.replay.record import Record
from netsim.studies.replay.retime import retime
from netsim.studies.replay.training import train
from netsim.studies.replay.versions import versions
from netsim.studies.run import Outcome, announced, run_scenario, task_factory
from netsim.studies.scenario import Scenario
from netsim.studies.sweep.cell import cell_id


def run_resumably(
    scenario: Scenario, out: Path, data: Path | None, progress: RunProgress, every_s: float
) -> list[Outcome]:
    """As ``run_scenario``; the same again goes on from what was saved ``every_s`` seconds.

    That lies in a hidden folder beside ``out`` until the results do.
    """
    folder.check_writable(out)
    kept = out.resolve().with_name(f".{out.resolve().name}.unfinished")
    run_one = Resumably(scenario, data, progress, kept, every_s)
    outcomes = run_scenario(scenario, out, data, progress, run_one)
    shutil.rmtree(kept, ignore_errors=True)
    return outcomes


@final
class Resumably:
    """Runs protocols one by one; those that took long and are done are timed by their record."""

    def __init__(
        self,
        scenario: Scenario,
        data: Path | None,
        progress: RunProgress,
        kept: Path,
        every_s: float,
    ) -> None:
        self._scenario = scenario
        self._make_task = task_factory(scenario, data)
        self._progress = progress
        self._kept = kept
        self._every_s = every_s

    def __call__(self, config: ProtocolConfig, label: str) -> Outcome:
        """From its record, from its last checkpoint, or from the beginning."""
        self._progress.start(label, self._scenario.rounds)
        single = self._scenario.model_copy(update={"runs": (config,)})
        kept = self._kept / cell_id(single)
        outcome = self._again(config, label, kept) or self._train(config, label, kept)
        self._progress.finish(label)
        return outcome

    def _again(self, config: ProtocolConfig, label: str, kept: Path) -> Outcome | None:
        with suppress(OSError, BundleDamaged, Diverged):
            record = Record.load(kept / "record")
            if record.versions == versions():
                return Outcome(retime(self._scenario, config, label, record))
        return None

    def _train(self, config: ProtocolConfig, label: str, kept: Path) -> Outcome:
        begun, tasks = time.monotonic(), list[Task]()

        def make_task() -> Task:
            tasks[:] = [self._make_task()]
            return tasks[0]

        checkpoints = Checkpoints(kept, self._every_s)
        outcome, record = train(
            self._scenario,
            config,
            label,
            make_task,
            lambda played: self._progress.advance(label, announced(played), tasks[0].metric),
            checkpoints,
        )
        long = time.monotonic() - begun >= self._every_s
        if record is not None and long and self._scenario.task is not None:
            record.save(kept / "record")
            checkpoints.drop_after(None)
        return outcome
