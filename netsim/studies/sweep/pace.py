"""How long a study still takes."""

from dataclasses import dataclass
from typing import final


@dataclass
class _Mean:
    """Of durations, s."""

    total_s: float = 0.0
    count: int = 0

    def add(self, time_s: float) -> None:
        self.total_s += time_s
        self.count += 1

    @property
    def value_s(self) -> float | None:
        return self.total_s / self.count if self.count else None


@final
class Pace:
    """Learns from the rounds and the timings so far how long one takes."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._round, self._timing = _Mean(), _Mean()
        self._last_s: dict[str, float] = {}

    def round(self, cell: str, now_s: float) -> None:
        """The cell has trained another round; its first one took setting up as well."""
        if cell in self._last_s:
            self._round.add(now_s - self._last_s[cell])
        self._last_s[cell] = now_s

    def timed(self, time_s: float) -> None:
        """A cell was timed."""
        self._timing.add(time_s)

    def left_s(self, rounds: int, timings: int) -> float | None:
        """For so many rounds to train and cells to time; None where nobody can tell yet."""
        round_s, timing_s = self._round.value_s, self._timing.value_s
        if rounds and round_s is None:
            return None
        return (rounds * (round_s or 0.0) + timings * (timing_s or 0.0)) / self._workers
