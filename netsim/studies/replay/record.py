"""The record of a training: what its timing on any network needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from netsim.results.digest import sent_digest
from netsim.results.records import RunResult
from netsim.studies.replay.bundle import Bundle, load, save
from netsim.studies.replay.course import Course
from netsim.studies.replay.versions import versions
from netsim.studies.run import Known


@dataclass(frozen=True)
class Record:
    """The whole course of a training, what came out, the digest of all that was handed to the
    network, and what it was made with."""

    course: Course
    known: Known
    sent_digest: str
    versions: Mapping[str, str]

    @classmethod
    def of(cls, course: Course, known: Known, result: RunResult) -> Self:
        """That of a complete run."""
        assert result.failure is None, "a run that failed has no record"
        return cls(course, known, sent_digest(result.transfers), versions())

    @classmethod
    def load(cls, path: Path) -> Self:
        """From a file; raises `BundleDamaged` or ``OSError``."""
        values, arrays = load(path)
        course = Course.read(Bundle(values["course"], arrays))
        known = Known(**values["known"])
        return cls(course, known, values["sent_digest"], values["versions"])

    def save(self, path: Path) -> None:
        """Put it at ``path`` in one step; raises ``ResultsError``."""
        course, arrays = self.course.bundle()
        values = {
            "course": course,
            "known": vars(self.known),
            "sent_digest": self.sent_digest,
            "versions": self.versions,
        }
        save(path, Bundle(values, arrays))
