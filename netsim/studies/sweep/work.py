"""What a worker does with a job."""

import time
import traceback
from collections.abc import Callable
from functools import lru_cache, partial

from netsim.learning.errors import DatasetCorrupt, DatasetMissing, LearningError
from netsim.network.ledger import Diverged
from netsim.results.errors import ResultsError
from netsim.studies.play import Played
from netsim.studies.replay.checkpoint import Checkpoints
from netsim.studies.replay.record import Record
from netsim.studies.replay.retime import retime
from netsim.studies.replay.training import train
from netsim.studies.run import task_factory
from netsim.studies.sweep.cell import Cell
from netsim.studies.sweep.jobs import (
    CellBroke,
    CellDiverged,
    CellDone,
    Halt,
    How,
    Job,
    RoundDone,
    Told,
)
from netsim.studies.sweep.store import Store
from netsim.studies.worth import worth

Tell = Callable[[Told], None]


def work(job: Job, tell: Tell) -> None:
    """Run the cells of a job and tell what becomes of each; never raises what a cell does."""
    for cell in job.cells:
        try:
            tell(_train(job, cell, tell) if job.how == "trained" else _time(job, cell))
        except ResultsError as error:
            tell(Halt(str(error)))
            return
        except (DatasetMissing, DatasetCorrupt) as error:
            tell(Halt(str(error), cell.id, error.loc))
            return
        except LearningError as error:
            tell(CellBroke(cell.id, str(error), "", error.loc))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            tell(CellBroke(cell.id, reason, traceback.format_exc()))


def _train(job: Job, cell: Cell, tell: Tell) -> CellDone:
    begun = time.perf_counter()
    store = Store(job.folder)
    make_task = task_factory(cell.scenario, job.settings.data)
    heard = partial(_heard, cell, tell)
    kept = Checkpoints(store.checkpoints(cell), job.settings.checkpoint_s)
    outcome, record = train(cell.scenario, cell.run, cell.label, make_task, heard, kept)
    if record is not None:
        shared = cell.training if job.leads else None
        record.save(store.record(shared or cell.id))
    passed_s = time.perf_counter() - begun
    store.write(cell, outcome.result, passed_s)
    how: How = "timed" if cell.scenario.task is None else "trained"
    return CellDone(cell.id, how, passed_s, outcome.result.failure)


def _heard(cell: Cell, tell: Tell, played: Played) -> None:
    accuracy = worth(played.evaluations).get("accuracy")
    tell(RoundDone(cell.id, played.round, cell.scenario.rounds, accuracy))


def _time(job: Job, cell: Cell) -> CellDone | CellDiverged:
    begun = time.perf_counter()
    assert cell.training is not None, "a cell that trains by itself"
    store = Store(job.folder)
    record = _record(store, cell.training)
    if record is None:
        return CellDiverged(cell.id, "the record of its training is gone")
    try:
        result = retime(cell.scenario, cell.run, cell.label, record)
    except Diverged as error:
        return CellDiverged(cell.id, str(error))
    passed_s = time.perf_counter() - begun
    store.write(cell, result, passed_s)
    return CellDone(cell.id, "timed", passed_s, None)


@lru_cache(maxsize=2)
def _record(store: Store, key: str) -> Record | None:
    return store.load_record(key)
