"""What a worker is given to do, and what it tells."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from netsim.scenario.errors import Loc
from netsim.studies.sweep.cell import Cell

How = Literal["trained", "timed"]


@dataclass(frozen=True)
class Settings:
    """``data`` is the folder of the datasets, None for the usual ones; ``checkpoint_s`` the time
    between two checkpoints of a training."""

    data: Path | None
    checkpoint_s: float


@dataclass(frozen=True)
class Job:
    """Cells to run, for the study in ``folder``: one to train, or some to time by the record of
    their training.  ``leads``: others are timed by the record of the one that trains."""

    folder: Path
    cells: tuple[Cell, ...]
    how: How
    leads: bool
    settings: Settings


@dataclass(frozen=True)
class RoundDone:
    """A cell that trains has ended a round."""

    cell: str
    round: int
    rounds: int
    accuracy: float | None


@dataclass(frozen=True)
class CellDone:
    """A cell has its result; ``failure`` says why it is no complete one, if so."""

    cell: str
    how: How
    time_s: float
    failure: str | None


@dataclass(frozen=True)
class CellDiverged:
    """The cell cannot be timed by the record of its training."""

    cell: str
    reason: str


@dataclass(frozen=True)
class CellBroke:
    """The cell has no result: an error of ours, or a task that cannot be set up, for a value at
    ``loc`` of its scenario if it is one."""

    cell: str
    reason: str
    details: str
    loc: Loc = ()


@dataclass(frozen=True)
class Halt:
    """No cell can be run: the disk is full, or the dataset at ``loc`` of the cell is missing."""

    reason: str
    cell: str = ""
    loc: Loc = ()


@dataclass(frozen=True)
class Over:
    """The worker has done what it can of a job."""

    job: Job


@dataclass(frozen=True)
class Lost:
    """The worker that did the job died."""

    job: Job
    reason: str


Told = RoundDone | CellDone | CellDiverged | CellBroke | Halt
Event = Told | Over | Lost
