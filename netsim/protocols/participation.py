"""Which clients take part in a round."""

from collections.abc import Sequence
from typing import Annotated, Final, final

import numpy as np
from pydantic import BeforeValidator

from netsim.kernel.streams import Streams
from netsim.scenario.suggest import quoted

EVERYONE: Final = 1.0


def _participation(given: object) -> object:
    if isinstance(given, float) and 0 < given <= 1:
        return given
    if isinstance(given, int) and not isinstance(given, bool) and given >= 1:
        return given
    wanted = "a number of clients (1, 2, …) or a share of them (0.1, … 1.0)"
    raise ValueError(f"must be {wanted}, not {quoted(given)}")


Participation = Annotated[int | float, BeforeValidator(_participation)]
"""A field: so many clients a round, or such a share of those that hold samples."""


@final
class Sampling:
    """Draws who of ``trainers`` trains in each round; the same for all protocols of a scenario."""

    def __init__(
        self, participation: int | float, trainers: Sequence[int], streams: Streams
    ) -> None:
        self._trainers, self._all = list(trainers), frozenset(trainers)
        self._streams = streams
        share = isinstance(participation, float)
        count = round(participation * len(trainers)) if share else int(participation)
        self._count = max(1, count)
        self.everyone = self._count >= len(trainers)
        self._recent: dict[int, list[int]] = {}

    def trains(self, client: int, round: int) -> bool:
        """Whether a client trains in a round."""
        return client in (self._all if self.everyone else self.trainers(round))

    def trainers(self, round: int) -> list[int]:
        """The clients that train in a round, ascending."""
        if self.everyone:
            return self._trainers
        if round not in self._recent:
            self._recent = {old: kept for old, kept in self._recent.items() if old >= round - 2}
            rng = self._streams.rng("participation", round)
            chosen = rng.choice(len(self._trainers), self._count, replace=False)
            self._recent[round] = [self._trainers[at] for at in np.sort(chosen)]
        return self._recent[round]
