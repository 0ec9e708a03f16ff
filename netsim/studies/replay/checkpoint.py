"""A training as it stands after a round, on disk."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from netsim.learning.base import Float32
from netsim.learning.errors import LearningError
from netsim.studies.replay.bundle import Bundle, BundleDamaged, load, save
from netsim.studies.replay.course import Course
from netsim.studies.replay.values import Packer, unpack
from netsim.studies.replay.versions import versions
from netsim.wire.register import Absent, Register

_KEPT: Final = 2
_STATE: Final = "state "


@dataclass(frozen=True)
class Checkpoint:
    """The course up to the end of a ``round`` at ``end_s``, how many deferred values there were
    (``count``), those of them that could still be read, by number, and the task's state."""

    round: int
    end_s: float
    course: Course
    count: int
    stored: Mapping[int, Any]
    state: Mapping[str, Float32]

    @classmethod
    def take(
        cls,
        round: int,
        end_s: float,
        course: Course,
        register: Register,
        state: Mapping[str, Float32],
    ) -> Self | None:
        """All that the rest of a run may need, computed now; None where training broke down."""
        stored = _values(register)
        return None if stored is None else cls(round, end_s, course, register.count, stored, state)

    def bundle(self) -> Bundle:
        """As JSON values and arrays."""
        course, arrays = self.course.bundle()
        packer = Packer()
        values = {
            "round": self.round,
            "end_s": self.end_s,
            "course": course,
            "count": self.count,
            "stored": [[number, packer.pack(value)] for number, value in self.stored.items()],
            "versions": versions(),
        }
        state = {f"{_STATE}{name}": each for name, each in self.state.items()}
        return Bundle(values, {**arrays, **packer.arrays, **state})

    @classmethod
    def read(cls, bundle: Bundle) -> Self:
        """From what ``bundle`` made."""
        values, arrays = bundle
        state = {
            name.removeprefix(_STATE): each
            for name, each in arrays.items()
            if name.startswith(_STATE)
        }
        return cls(
            values["round"],
            values["end_s"],
            Course.read(Bundle(values["course"], arrays)),
            values["count"],
            {number: unpack(packed, arrays) for number, packed in values["stored"]},
            state,
        )


@dataclass(frozen=True)
class Checkpoints:
    """The last checkpoints of a run, in a folder of their own; at least ``every_s`` apart."""

    folder: Path
    every_s: float

    def found(self) -> Iterator[Checkpoint]:
        """Those that are whole and of these versions, the latest first."""
        for path in reversed(self._paths()):
            try:
                bundle = load(path)
            except (BundleDamaged, OSError):
                continue
            if bundle.values["versions"] == versions():
                yield Checkpoint.read(bundle)

    def save(self, checkpoint: Checkpoint) -> None:
        """Keep this one and the one before; raises ``ResultsError``."""
        save(self._path(checkpoint.round), checkpoint.bundle())
        for old in self._paths()[:-_KEPT]:
            old.unlink(missing_ok=True)

    def drop_after(self, start: Checkpoint | None) -> None:
        """Remove those that are later than the one a run starts from: they were of no use."""
        last = "" if start is None else self._path(start.round).name
        for path in self._paths():
            if path.name > last:
                path.unlink(missing_ok=True)

    def _path(self, round: int) -> Path:
        return self.folder / f"round-{round:08}"

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob("round-*"))


def _values(register: Register) -> Mapping[int, Any] | None:
    """What deferred values somebody could still read come to; None if one broke down."""
    try:
        register.settle()
    except LearningError:
        return None
    # What they were made from is let go by now, but for what stands in cycles.
    gc.collect()
    return _computed(register)


def _computed(register: Register) -> Mapping[int, Any]:
    """The values by number, without those on no record: nobody can have needed them since."""
    values = {}
    for number, deferred in register.alive():
        with suppress(Absent):
            values[number] = deferred.value()
    return values
