"""The folder of a study: results of cells, records of trainings, and the tables of all."""

import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from netsim.results import folder
from netsim.results.errors import ResultsError, unwritable
from netsim.results.manifest import build_manifest
from netsim.results.records import RunResult
from netsim.scenario.resolve import dump
from netsim.studies.replay.bundle import BundleDamaged, replace
from netsim.studies.replay.record import Record
from netsim.studies.replay.versions import versions
from netsim.studies.settled import settled
from netsim.studies.sweep.cell import Cell

STUDY: Final = "study.json"
_MADE_WITH: Final = "made_with"
_TRAINING: Final = "training"


@dataclass(frozen=True)
class Store:
    """A study's folder.  What it holds of other versions of netsim, numpy or torch is not used.

    ``cells/ID`` is the result of a cell; ``trainings/KEY`` the record of a training, under the
    cell's own ID where it trains by itself;
    ``checkpoints/ID`` what a training goes on from.
    """

    folder: Path

    def cell(self, cell: Cell) -> Path:
        """Where the cell's result is."""
        return self.folder / "cells" / cell.id

    def record(self, key: str) -> Path:
        """Where the record of a training is."""
        return self.folder / "trainings" / key

    def checkpoints(self, cell: Cell) -> Path:
        """Where the checkpoints of the cell's training are."""
        return self.folder / "checkpoints" / cell.id

    def summary(self, cell: Cell) -> Mapping[str, Any] | None:
        """What the cell came to; None unless it has a whole result of these versions."""
        try:
            manifest = json.loads((self.cell(cell) / "manifest.json").read_text("utf-8"))
            if manifest[_MADE_WITH] != versions():
                return None
            summary = json.loads((self.cell(cell) / "summary.json").read_text("utf-8"))
            (run,) = summary["runs"]
        except (OSError, ValueError, LookupError, TypeError):
            return None
        found: Mapping[str, Any] = run
        return found

    def load_record(self, key: str) -> Record | None:
        """The record of a training; None unless there is a whole one of these versions."""
        try:
            record = Record.load(self.record(key))
        except (OSError, BundleDamaged):
            return None
        return record if record.versions == versions() else None

    def record_of(self, cell: Path) -> Record | None:
        """The record by which a cell was made that has a whole result."""
        manifest = json.loads((cell / "manifest.json").read_text("utf-8"))
        own, shared = self.load_record(cell.name), manifest.get(_TRAINING)
        return self.load_record(shared) if own is None and shared is not None else own

    def write(self, cell: Cell, result: RunResult, wall_time_s: float) -> None:
        """Put a result in place, whole, and drop what it went on from; raises ``ResultsError``."""
        resolved = dump(settled(cell.scenario, result))
        manifest = build_manifest(resolved, cell.scenario.seed, wall_time_s)
        manifest[_MADE_WITH] = versions()
        manifest[_TRAINING] = cell.training
        name, seed = cell.scenario.name, cell.scenario.seed
        folder.write(self.cell(cell), name, seed, [result], resolved, manifest, pages=False)
        shutil.rmtree(self.checkpoints(cell), ignore_errors=True)

    def keep_details(self, cell: Cell, details: str) -> None:
        """Keep the traceback of an error of ours in ``failures/ID.txt``."""
        if details:
            replace(self.folder / "failures" / f"{cell.id}.txt", details.encode())

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder, or take up what is there; no other command may meanwhile.

        Clears what a killed process left half written, and leaves no new folder behind when an
        error ends it before anything was computed.  Raises ``ResultsError`` where there is
        something else, or nothing can be written.
        """
        self._check()
        new = not self.folder.exists()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / ".lock").open("w")
        except OSError as error:
            raise unwritable(self.folder, error) from error
        with lock:
            self._hold(lock)
            self._clear()
            try:
                yield
            except Exception:
                if new and not any(path.is_dir() for path in self.folder.iterdir()):
                    shutil.rmtree(self.folder)
                raise

    def _check(self) -> None:
        if self.folder.exists() and not self.folder.is_dir():
            raise ResultsError(f"{self.folder} is a file; a study needs a folder")
        if (self.folder / STUDY).exists() or not self.folder.exists():
            return
        if any(not path.name.startswith(".") for path in self.folder.iterdir()):
            raise ResultsError(
                f"{self.folder} holds files that are no study; choose another folder or empty it"
            )

    def _clear(self) -> None:
        """Remove what was being written when a process was killed."""
        for left in (*self.folder.glob("*/.*"), *self.folder.glob("checkpoints/*/.*")):
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)

    def _hold(self, lock: IO[str]) -> None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(f"another command is running the study {self.folder}") from None
