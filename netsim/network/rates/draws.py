"""Values for the nodes: distributions to draw rates and latencies from.

A draw is over all nodes at once from one stream, node after node: the first nodes have the same
values however many follow.  Shape: K nodes.
"""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Annotated, Generic, Literal, TypeVar

import numpy as np
from pydantic import Field

from netsim.network.sharing.base import Float64
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.kinds import one_of
from netsim.scenario.units import Duration, Rate

Q = TypeVar("Q")
"""The quantity drawn: ``Rate`` or ``Duration``."""

_LARGEST = 1e100
"""Keeps what is drawn from an unbounded distribution a finite number."""


class Draw(Config):
    """Where the values of the nodes come from."""

    kind: str

    @abstractmethod
    def values_K(self, nodes: int, rng: np.random.Generator) -> Float64:
        """One value a node, bit/s or s."""

    def problems(self, nodes: int) -> Iterator[Finding]:
        """What pydantic cannot see."""
        yield from ()


class Constant(Draw, Generic[Q]):
    """The same ``value`` for every node."""

    kind: Literal["constant"] = "constant"
    value: Q

    def values_K(self, nodes: int, rng: np.random.Generator) -> Float64:
        return np.full(nodes, self.value, np.float64)


class Listed(Draw, Generic[Q]):
    """One of the ``values`` for each node, in order."""

    kind: Literal["list"] = "list"
    values: tuple[Q, ...]

    def values_K(self, nodes: int, rng: np.random.Generator) -> Float64:
        return np.array(self.values, np.float64)

    def problems(self, nodes: int) -> Iterator[Finding]:
        if len(self.values) != nodes:
            yield ("values",), miscounted(len(self.values), nodes)


class Choice(Draw, Generic[Q]):
    """Each node has one of ``values``, independently, with chances in the ratio of ``weights``.

    Without weights all are equally likely.
    """

    kind: Literal["choice"] = "choice"
    values: tuple[Q, ...] = Field(min_length=1)
    weights: tuple[Annotated[float, Field(ge=0, le=_LARGEST)], ...] | None = None

    def values_K(self, nodes: int, rng: np.random.Generator) -> Float64:
        weights = np.ones(len(self.values)) if self.weights is None else np.array(self.weights)
        bounds = np.cumsum(weights / weights.sum())
        last = np.flatnonzero(weights)[-1]
        place = np.searchsorted(bounds, rng.random(nodes), side="right").clip(max=last)
        return np.asarray(np.array(self.values, np.float64)[place])

    def problems(self, nodes: int) -> Iterator[Finding]:
        if self.weights is None:
            return
        if len(self.weights) != len(self.values):
            yield ("weights",), f"{len(self.weights)} weights for {len(self.values)} values"
        elif not any(self.weights):
            yield ("weights",), "at least one weight must be more than 0"


class Uniform(Draw, Generic[Q]):
    """Uniform from ``low`` to ``high``."""

    kind: Literal["uniform"] = "uniform"
    low: Q
    high: Q

    def values_K(self, nodes: int, rng: np.random.Generator) -> Float64:
        low, high = np.array([self.low, self.high], np.float64)
        return np.asarray(low + (high - low) * rng.random(nodes))

    def problems(self, nodes: int) -> Iterator[Finding]:
        low, high = np.array([self.low, self.high], np.float64)
        if high < low:
            yield ("high",), "is less than low"


class LogNormal(Draw, Generic[Q]):
    """``median`` · exp(``sigma`` · Z) with Z standard normal."""

    kind: Literal["lognormal"] = "lognormal"
    median: Q = Field(gt=0, le=_LARGEST)
    sigma: float = Field(ge=0, le=10)

    def values_K(self, nodes: int, rng: np.random.Generator) -> Float64:
        median = np.full(nodes, self.median, np.float64)
        return np.asarray(median * np.exp(self.sigma * rng.standard_normal(nodes)))


class Pareto(Draw, Generic[Q]):
    """At least ``minimum``, and above x with probability (``minimum`` / x)^``alpha``."""

    kind: Literal["pareto"] = "pareto"
    minimum: Q = Field(gt=0, le=_LARGEST)
    alpha: float = Field(ge=0.1)

    def values_K(self, nodes: int, rng: np.random.Generator) -> Float64:
        minimum = np.full(nodes, self.minimum, np.float64)
        return np.asarray(minimum * (1 - rng.random(nodes)) ** (-1 / self.alpha))


RATE_DRAWS = (
    Constant[Rate],
    Listed[Rate],
    Choice[Rate],
    Uniform[Rate],
    LogNormal[Rate],
    Pareto[Rate],
)
LATENCY_DRAWS = (
    Constant[Duration],
    Listed[Duration],
    Choice[Duration],
    Uniform[Duration],
    LogNormal[Duration],
    Pareto[Duration],
)

Given = float | tuple[float, ...] | Draw
Rates = Rate | tuple[Rate, ...] | Annotated[Draw, one_of(*RATE_DRAWS)]
"""A field: one rate for all, a list with one a node, or a distribution."""
Latencies = Duration | tuple[Duration, ...] | Annotated[Draw, one_of(*LATENCY_DRAWS)]
"""A field: one latency for all, a list with one a node, or a distribution."""


def values_K(given: Given, nodes: int, rng: np.random.Generator) -> Float64:
    """One value a node."""
    if isinstance(given, Draw):
        return given.values_K(nodes, rng)
    return np.broadcast_to(np.array(given, np.float64), nodes).copy()


def draw_problems(given: Given, nodes: int) -> Iterator[Finding]:
    """Why ``given`` cannot serve ``nodes``, if it cannot."""
    if isinstance(given, Draw):
        yield from given.problems(nodes)
    elif isinstance(given, tuple) and len(given) != nodes:
        yield (), miscounted(len(given), nodes)


def miscounted(count: int, nodes: int) -> str:
    """The message on a list of another length."""
    return f"{count} values for {nodes} nodes; write one a node"
