"""Random programs of starts, aborts and changes of capacity against exact fractions."""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netsim.network.sharing.base import Sharing
from netsim.network.sharing.filling import Filling
from netsim.network.sharing.max_min import MaxMin
from netsim.network.sharing.python_max_min import PythonMaxMin

BOTH = pytest.mark.parametrize("engine", [MaxMin, PythonMaxMin], ids=["compiled", "python"])


WEIGHTS = [Fraction(1), Fraction(1, 3), Fraction(4), Fraction(1, 50), Fraction(70)]


@dataclass(frozen=True)
class Step:
    """What happens at one instant: changes, starts (bits, route, weight), and aborts (by number
    of the start)."""

    time: int
    capacities: dict[int, int]
    starts: list[tuple[int, list[int], Fraction]]
    aborts: list[int]


@dataclass(frozen=True)
class Program:
    """Capacities in bits per unit of time, and steps; ``unit_s`` is that unit."""

    capacities: list[int]
    steps: list[Step]
    unit_s: Fraction


@st.composite
def programs(draw: st.DrawFn) -> Program:
    links = draw(st.integers(1, 5))
    link = st.integers(0, links - 1)
    capacity = st.sampled_from([0, 1, 2, 3, 5, 8, 20])
    route = st.lists(link, min_size=1, max_size=4, unique=True)
    weights = WEIGHTS if draw(st.booleans()) else WEIGHTS[:1]
    start = st.tuples(st.integers(1, 40), route, st.sampled_from(weights))
    steps = st.builds(
        Step,
        time=st.integers(0, 12),
        capacities=st.dictionaries(link, capacity, max_size=2),
        starts=st.lists(start, max_size=4),
        aborts=st.lists(st.integers(0, 11), max_size=2, unique=True),
    )
    return Program(
        capacities=draw(st.lists(capacity, min_size=links, max_size=links)),
        steps=sorted(draw(st.lists(steps, min_size=1, max_size=6)), key=lambda step: step.time),
        unit_s=draw(st.sampled_from([Fraction(1), Fraction(1, 10**7), Fraction(3600)])),
    )


class Lists:
    """A ``Sharing`` behind the list methods of ``Filling``."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing

    def start(
        self, now: float, bits: list[int], routes: list[list[int]], weights: list[float] | None
    ) -> list[int]:
        ptr = np.cumsum([0, *map(len, routes)])
        links = np.array([link for route in routes for link in route], np.int64)
        given = None if weights is None else np.array(weights, np.float64)
        slots = self.sharing.start(now, np.array(bits, np.int64), ptr, links, given)
        whole: list[int] = slots.tolist()
        return whole

    def set_capacity(self, now: float, links: list[int], capacity: list[float]) -> None:
        self.sharing.set_capacity(now, np.array(links, np.int64), np.array(capacity, np.float64))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Methods whose last argument, if any, is a list of slots."""

        def call(*args: Any) -> Any:
            arrays = [np.array(a, np.int64) if isinstance(a, list) else a for a in args]
            result = getattr(self.sharing, name)(*arrays)
            return result.tolist() if isinstance(result, np.ndarray) else result

        return call


@dataclass
class Player:
    """Plays a program on an engine and notes what happened to each start, by its number."""

    engine: Any
    number: Callable[[Fraction], Any]
    program: Program
    watch: Callable[["Player", Any], None] = lambda player, now: None
    finish: dict[int, Any] = field(default_factory=dict)
    sent: dict[int, int] = field(default_factory=dict)
    begun: dict[int, tuple[int, list[int], Fraction]] = field(default_factory=dict)
    slots: dict[int, int] = field(default_factory=dict)
    capacity: list[Any] = field(default_factory=list)

    def play(self) -> "Player":
        self.capacity = [self.bps(value) for value in self.program.capacities]
        for step in self.program.steps:
            now = self.number(step.time * self.program.unit_s)
            self.run_until(now)
            self.apply(now, step)
            self.watch(self, now)
        self.run_until(math.inf)
        return self

    def bps(self, capacity: int) -> Any:
        return self.number(capacity / self.program.unit_s)

    def run_until(self, end: Any) -> None:
        while (due := self.engine.next_completion()) < math.inf and due <= end:
            self.complete(due)
            self.watch(self, due)

    def complete(self, now: Any) -> None:
        number = {slot: i for i, slot in self.slots.items()}
        for slot in self.engine.complete(now):
            self.finish[number[slot]] = now
            del self.slots[number[slot]]

    def apply(self, now: Any, step: Step) -> None:
        self.complete(now)
        if step.capacities:
            values = [self.bps(value) for value in step.capacities.values()]
            self.engine.set_capacity(now, list(step.capacities), values)
            for link, value in zip(step.capacities, values, strict=True):
                self.capacity[link] = value
        if step.starts:
            bits, routes, weights = map(list, zip(*step.starts, strict=True))
            given = [self.number(weight) for weight in weights] if set(weights) != {1} else None
            slots = self.engine.start(now, bits, routes, given)
            for slot, each in zip(slots, step.starts, strict=True):
                self.slots[len(self.begun)] = slot
                self.begun[len(self.begun)] = each
        aborts = [i for i in step.aborts if i in self.slots]
        if aborts:
            sent = self.engine.abort(now, [self.slots.pop(i) for i in aborts])
            self.sent.update(zip(aborts, sent, strict=True))


def played(
    engine: Callable[[Any], Sharing],
    program: Program,
    watch: Callable[[Player, Any], None] = lambda player, now: None,
) -> Player:
    capacity = np.array([float(value / program.unit_s) for value in program.capacities])
    return Player(Lists(engine(capacity)), float, program, watch).play()


def played_exactly(program: Program) -> Player:
    capacity = [value / program.unit_s for value in program.capacities]
    filling: Filling[Fraction] = Filling(capacity, Fraction, Fraction(0), Fraction(0))
    return Player(filling, Fraction, program).play()


@BOTH
@settings(max_examples=120, deadline=None)
@given(program=programs())
def test_equals_exact_fractions(engine: Callable[[Any], Sharing], program: Program) -> None:
    """Each transfer ends when exact arithmetic says, or is aborted with as many bits."""
    found, exact = played(engine, program), played_exactly(program)
    assert found.finish.keys() == exact.finish.keys()
    assert found.sent.keys() == exact.sent.keys()
    for i, time in exact.finish.items():
        assert found.finish[i] == pytest.approx(float(time), rel=1e-9, abs=0)
    for i, bits in exact.sent.items():
        assert abs(found.sent[i] - bits) <= 1


@BOTH
@settings(max_examples=50, deadline=None)
@given(program=programs())
def test_rates_are_max_min_fair_at_every_instant(
    engine: Callable[[Any], Sharing], program: Program
) -> None:
    """No link is over capacity; each transfer has a full link on which none gets more for its
    weight."""

    def fair(player: Player, now: float) -> None:
        rates = dict(
            zip(player.slots, player.engine.rate(list(player.slots.values())), strict=True)
        )
        levels = {i: rate / float(player.begun[i][2]) for i, rate in rates.items()}
        on: dict[int, list[int]] = defaultdict(list)
        for i in rates:
            for link in player.begun[i][1]:
                on[link].append(i)
        used = {link: sum(rates[i] for i in crossing) for link, crossing in on.items()}
        for link, taken in used.items():
            weights = [float(player.begun[i][2]) for i in on[link]]
            # What is left of a sum of weights has lost digits where they differ much.
            off = 1e-12 + 1e-15 * sum(weights) / min(weights)
            assert taken <= player.capacity[link] * (1 + off)
        for i, level in levels.items():
            assert any(
                used[link] >= player.capacity[link] * (1 - 1e-9)
                and level >= max(levels[other] for other in on[link]) * (1 - 1e-9)
                for link in player.begun[i][1]
            )

    played(engine, program, fair)


@BOTH
@settings(max_examples=50, deadline=None)
@given(program=programs())
def test_bits_are_conserved(engine: Callable[[Any], Sharing], program: Program) -> None:
    """Bits sent are whole, follow the rates, never shrink and never exceed the size."""
    moved: dict[int, float] = defaultdict(float)
    rates: dict[int, float] = {}
    since = 0.0

    def follow(player: Player, now: float) -> None:
        nonlocal rates, since
        for i, rate in rates.items():
            moved[i] += rate * (now - since)
        alive = list(player.slots)
        sent = player.engine.sent(now, list(player.slots.values()))
        for i, bits in [*zip(alive, sent, strict=True), *player.sent.items()]:
            size = player.begun[i][0]
            assert 0 <= bits <= size
            assert moved[i] - 1 - 1e-6 <= bits <= moved[i] + 1e-6
        for i in player.finish:
            assert moved[i] == pytest.approx(player.begun[i][0], rel=1e-9)
        rates = dict(zip(alive, player.engine.rate(list(player.slots.values())), strict=True))
        since = now

    player = played(engine, program, follow)
    stalled = set(player.slots)
    assert set(player.begun) == set(player.finish) | set(player.sent) | stalled


@settings(max_examples=50, deadline=None)
@given(program=programs())
def test_same_calls_give_the_same_bits(program: Program) -> None:
    """Two plays of one program agree to the last bit of every time."""
    first, second = played(MaxMin, program), played(MaxMin, program)
    assert first.finish == second.finish
    assert first.sent == second.sent


@BOTH
@settings(max_examples=50, deadline=None)
@given(program=programs())
def test_half_the_rates_take_twice_as_long(
    engine: Callable[[Any], Sharing], program: Program
) -> None:
    """A program stretched in time by two ends everything exactly twice as late."""
    slow = Program(program.capacities, program.steps, 2 * program.unit_s)
    fast = played(engine, program)
    slower = played(engine, slow)
    assert slower.sent == fast.sent
    assert slower.finish.keys() == fast.finish.keys()
    for i, time in fast.finish.items():
        assert slower.finish[i] == pytest.approx(2 * time, rel=1e-12, abs=0)
