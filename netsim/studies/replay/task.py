"""A task that plays a course again, and goes on with a real one where it ends."""

from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar, final

from netsim.learning.base import Evaluation, Float32, Task
from netsim.network.ledger import Diverged
from netsim.studies.replay.course import Course
from netsim.wire.deferred import Absent, Deferred

T = TypeVar("T")


@final
class ReplayedTask(Task):
    """Gives what is on record of ``course``, without values, and raises `Diverged` beyond it."""

    values = True

    def __init__(self, course: Course) -> None:
        self.n, self.lr, self.samples = course.n, course.lr, course.samples
        self.clients = len(course.samples)
        self.initial = Deferred[Float32](_absent)
        self._course = course
        self._evaluated = 0

    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """A value that is absent."""
        if (client, round) not in self._course.updates:
            raise Diverged(f"an update of client {client} in round {round} is not on record")
        return Deferred(_absent)

    def step_weight(self, client: int) -> float:
        """As on record."""
        return self._course.step_weights[client]

    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """A value that is absent."""
        return Deferred(_absent)

    def evaluate(self, models: Sequence[Deferred[Float32]]) -> list[Evaluation]:
        """The next evaluation on record."""
        if self._evaluated == len(self._course.evaluations):
            raise Diverged(f"evaluation {self._evaluated} is not on record")
        self._evaluated += 1
        return self._course.evaluations[self._evaluated - 1]


@final
class RecordingTask(Task):
    """A task whose course is written down."""

    def __init__(self, task: Task) -> None:
        self.n, self.lr, self.samples = task.n, task.lr, task.samples
        self.clients, self.initial, self.values = task.clients, task.initial, task.values
        self.course = Course.of(task)
        self._task = task

    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """As in the base class."""
        self.course.updates.add((client, round))
        return self._task.update(client, model, round)

    def step_weight(self, client: int) -> float:
        """As in the base class."""
        return self._task.step_weight(client)

    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """As in the base class."""
        return self._task.defer(compute)

    def evaluate(self, models: Sequence[Deferred[Float32]]) -> list[Evaluation]:
        """As in the base class."""
        found = self._task.evaluate(models)
        self.course.evaluations.append(found)
        return found


def _absent() -> NoReturn:
    raise Absent
