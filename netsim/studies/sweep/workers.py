"""Who does the jobs of a study."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from netsim.studies.sweep.jobs import Event, Job


class WorkersError(Exception):
    """Workers that cannot be had; the message says why, in one line."""


class Workers(ABC):
    """Processes, here or elsewhere, that do jobs.  Used as a context, which ends them."""

    @abstractmethod
    def __enter__(self) -> "Workers": ...

    @abstractmethod
    def __exit__(self, *raised: object) -> None:
        """End all work at once, done or not."""

    @property
    @abstractmethod
    def free(self) -> int:
        """How many more jobs they would take now."""

    @abstractmethod
    def start(self, job: Job) -> None:
        """Give a job to one that is free."""

    @abstractmethod
    def wait(self, timeout_s: float) -> Sequence[Event]:
        """What was told since, in order; waits until there is something, or for so long."""
