"""A task that plays a course again, and goes on with a real one where it ends."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, final

from netsim.learning.base import Evaluation, Float32, Task
from netsim.learning.metrics import METRIC
from netsim.network.ledger import Diverged
from netsim.studies.replay.course import Course
from netsim.wire.deferred import Deferred
from netsim.wire.register import Register, absent

T = TypeVar("T")


@final
class ReplayedTask(Task):
    """Gives what is on record of ``course``, without values, and raises `Diverged` beyond it."""

    values = True

    def __init__(self, course: Course) -> None:
        self.n, self.lr, self.samples = course.n, course.lr, course.samples
        self.statistics, self.metric = course.statistics, METRIC[course.answer]
        self.clients = len(course.samples)
        self.initial = Deferred[Float32](absent)
        self._course = course
        self._evaluated = 0

    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """A value that is absent."""
        return replayed_update(self._course, client, round)

    def rate(self, round: int) -> float:
        """As on record; of a round that is not, `Diverged`."""
        if round not in self._course.rates:
            raise Diverged(f"the learning rate of round {round} is not on record")
        return self._course.rates[round]

    def step_weight(self, client: int) -> float:
        """As on record."""
        return self._course.step_weights[client]

    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """A value that is absent."""
        return Deferred(absent)

    def evaluate(
        self, models: Sequence[Deferred[Float32]], nodes: Sequence[int] | None = None
    ) -> list[Evaluation]:
        """The next evaluation on record."""
        if self._evaluated == len(self._course.evaluations):
            raise Diverged(f"evaluation {self._evaluated} is not on record")
        self._evaluated += 1
        return self._course.evaluations[self._evaluated - 1]


@final
class RecordingTask(Task):
    """A task whose ``course`` is written down, and played again as far as ``register`` says."""

    def __init__(self, task: Task, course: Course, register: Register) -> None:
        self.n, self.lr, self.samples = task.n, task.lr, task.samples
        self.statistics, self.metric = task.statistics, task.metric
        self.clients, self.initial, self.values = task.clients, task.initial, task.values
        self.gradients = task.gradients
        self.course = course
        self._task = task
        self._register = register
        self._evaluated = 0

    def update(self, client: int, model: Deferred[Float32], round: int) -> Deferred[Float32]:
        """As in the base class; a value on record is not computed again."""
        if self._register.replaying:
            return replayed_update(self.course, client, round)
        self.course.updates.add((client, round))
        return self._task.update(client, model, round)

    def step_weight(self, client: int) -> float:
        """As in the base class."""
        return self._task.step_weight(client)

    def appearances(self, client: int) -> tuple[int, float]:
        """As in the base class."""
        return self._task.appearances(client)

    def defer(self, compute: Callable[[], T]) -> Deferred[T]:
        """As in the base class."""
        return self._task.defer(compute)

    def evaluate(
        self, models: Sequence[Deferred[Float32]], nodes: Sequence[int] | None = None
    ) -> list[Evaluation]:
        """As in the base class; what is on record is not evaluated again."""
        if self._evaluated == len(self.course.evaluations):
            self.course.evaluations.append(self._task.evaluate(models, nodes))
        self._evaluated += 1
        return self.course.evaluations[self._evaluated - 1]

    def rate(self, round: int) -> float:
        """As in the base class."""
        self.course.rates[round] = self._task.rate(round)
        return self.course.rates[round]

    def observe(self, round: int, evaluations: Sequence[Evaluation]) -> None:
        """As in the base class; so the task hears of what is on record, too."""
        self._task.observe(round, evaluations)

    def state(self) -> Mapping[str, Float32]:
        """As in the base class."""
        return self._task.state()


def replayed_update(course: Course, client: int, round: int) -> Deferred[Float32]:
    """An update on record, whose value is not; raises `Diverged` if it is not on record."""
    if (client, round) not in course.updates:
        raise Diverged(f"an update of client {client} in round {round} is not on record")
    return Deferred(absent)
