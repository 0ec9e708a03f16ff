"""Which clients take part in a round."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, final

import numpy as np
from pydantic import BeforeValidator

from netsim.kernel.streams import Streams
from netsim.scenario.suggest import quoted

EVERYONE: Final = 1.0
"""A share: 1 is one client."""


def _participation(given: object) -> object:
    if isinstance(given, float) and 0 < given <= 1:
        return given
    if isinstance(given, int) and not isinstance(given, bool) and given >= 1:
        return given
    wanted = "a number of clients (1, 2, …) or a share of them (0.1, … 1.0)"
    raise ValueError(f"must be {wanted}, not {quoted(given)}")


Participation = Annotated[int | float, BeforeValidator(_participation)]
"""A field: so many clients a round, or such a share of those that hold samples."""


def is_everyone(participation: int | float) -> bool:
    """Whether all take part, however many there are."""
    return isinstance(participation, float) and participation == EVERYONE


@final
class Group:
    """Clients of a round, ascending: as a list, and as a set for who asks about one of them."""

    def __init__(self, clients: Sequence[int]) -> None:
        self.ascending = list(clients)
        self.members = frozenset(clients)


@final
class Groups:
    """The group that ``draw`` gives for a round, drawn once for all that ask in about its time."""

    def __init__(self, draw: Callable[[int], Sequence[int]]) -> None:
        self._draw = draw
        self._recent: dict[int, Group] = {}

    def __call__(self, round: int) -> Group:
        """Of this round."""
        if round not in self._recent:
            self._recent = {old: kept for old, kept in self._recent.items() if old >= round - 2}
            self._recent[round] = Group(self._draw(round))
        return self._recent[round]


@final
class Sampling:
    """Draws who of ``trainers`` trains in each round; the same for all protocols of a scenario."""

    def __init__(
        self, participation: int | float, trainers: Sequence[int], streams: Streams
    ) -> None:
        self._all = Group(trainers)
        self._streams = streams
        share = isinstance(participation, float)
        count = round(participation * len(trainers)) if share else int(participation)
        self._count = max(1, count)
        self.everyone = self._count >= len(trainers)
        self._groups = Groups(self._some)

    def trainers(self, round: int) -> list[int]:
        """The clients that train in a round, ascending."""
        return self._of(round).ascending

    def trains(self, client: int, round: int) -> bool:
        """Whether the client is one of them."""
        return client in self._of(round).members

    def _of(self, round: int) -> Group:
        return self._all if self.everyone else self._groups(round)

    def _some(self, round: int) -> list[int]:
        rng = self._streams.rng("participation", round)
        chosen = rng.choice(len(self._all.ascending), self._count, replace=False)
        return [self._all.ascending[at] for at in np.sort(chosen)]
