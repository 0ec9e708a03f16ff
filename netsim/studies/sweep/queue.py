"""What a study still has to do, in order."""

from collections import deque
from collections.abc import Iterable
from itertools import groupby, islice
from typing import Final, final

from netsim.studies.sweep.cell import Cell
from netsim.studies.sweep.jobs import How

_AT_ONCE: Final = 8
"""Cells that are timed in one job: few, so that work spreads evenly."""


@final
class Queue:
    """Cells to train, cells to time, and those that wait for the training they share.

    Of cells that train alike one leads: it trains, and the others are timed when it has.
    """

    def __init__(self) -> None:
        self.train: deque[Cell] = deque()
        self.time: deque[Cell] = deque()
        self._followers: dict[str, deque[Cell]] = {}
        self._leaders: set[str] = set()

    def add(self, cells: Iterable[Cell], recorded: Iterable[str]) -> None:
        """Cells without a result; of the trainings in ``recorded`` there is a record."""
        known = set(recorded)
        for cell in cells:
            if cell.training is None:
                self.train.append(cell)
            elif cell.training in known:
                self.time.append(cell)
            elif cell.training in self._followers:
                self._followers[cell.training].append(cell)
            else:
                self._followers[cell.training] = deque()
                self._lead(cell)

    @property
    def waiting(self) -> int:
        """How many cells wait for a training."""
        return sum(map(len, self._followers.values()))

    def leads(self, cell: Cell) -> bool:
        """Whether others are timed by the record of this cell's training."""
        return cell.id in self._leaders

    def trained(self, cell: Cell) -> None:
        """The cell has a record: the others can be timed."""
        if self.leads(cell) and cell.training is not None:
            self.time += self._followers.pop(cell.training)

    def failed(self, cell: Cell) -> None:
        """The cell has no record: another leads."""
        if self.leads(cell) and cell.training is not None:
            followers = self._followers[cell.training]
            if followers:
                self._lead(followers.popleft())

    def diverged(self, cell: Cell) -> None:
        """The cell cannot be timed: it trains by itself."""
        self.train.append(cell)

    def again(self, how: How, cells: Iterable[Cell]) -> None:
        """Cells whose worker died."""
        queue = self.train if how == "trained" else self.time
        queue.extendleft(cells)

    def take(self) -> tuple[How, tuple[Cell, ...]]:
        """The next cells, none where there are no more: one that trains, or some of one
        training to time."""
        if self.train:
            return "trained", (self.train.popleft(),)
        alike = next((each for _, each in groupby(self.time, lambda cell: cell.training)), ())
        cells = tuple(islice(alike, _AT_ONCE))
        for _ in cells:
            self.time.popleft()
        return "timed", cells

    def _lead(self, cell: Cell) -> None:
        self._leaders.add(cell.id)
        self.train.append(cell)
