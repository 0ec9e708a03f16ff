"""The engines under test and short ways to drive them."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from netsim.network.sharing.base import Float64, Int64, Sharing
from netsim.network.sharing.max_min import MaxMin
from netsim.network.sharing.play import Case
from netsim.network.sharing.python_max_min import PythonMaxMin

Engine = Callable[[Float64], Sharing]
Route = Sequence[int]


@pytest.fixture(params=[MaxMin, PythonMaxMin], ids=["compiled", "python"])
def max_min(request: pytest.FixtureRequest) -> Engine:
    """Each implementation of max-min sharing."""
    engine: Engine = request.param
    return engine


@pytest.fixture(scope="session")
def start() -> Callable[..., Int64]:
    """``start(sharing, now, [(bits, route), …])`` returns the slots."""

    def start(
        sharing: Sharing,
        now: float,
        transfers: Sequence[tuple[int, Route]],
        weights: Float64 | None = None,
    ) -> Int64:
        bits = np.array([size for size, _ in transfers], np.int64)
        ptr = np.cumsum([0, *(len(route) for _, route in transfers)])
        links = np.array([link for _, route in transfers for link in route], np.int64)
        return sharing.start(now, bits, ptr, links, weights)

    return start


@pytest.fixture(scope="session")
def random_case() -> Callable[..., Case]:
    """``random_case(seed, links, flows)``: random routes, sizes, starts and changes of capacity,
    and weights between 1 and 1000 if asked for."""

    def random_case(
        seed: int, links: int, flows: int, longest: int = 4, weighted: bool = False
    ) -> Case:
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, min(longest, links) + 1, flows)
        routes = [rng.choice(links, length, replace=False) for length in lengths]
        changes = flows // 4
        return Case(
            capacity_bps=(rng.integers(1, 50, links) * 10**6).astype(np.float64),
            bits=rng.integers(1, 10_000_000, flows),
            route_ptr=np.cumsum([0, *lengths]),
            route_links=np.concatenate(routes),
            start_s=rng.integers(0, 40, flows) / 8,
            change_s=rng.integers(0, 80, changes) / 8,
            change_link=rng.integers(0, links, changes),
            change_bps=(rng.integers(0, 4, changes) * 7_000_000).astype(np.float64),
            weights=10 ** rng.uniform(0, 3, flows) if weighted else None,
        )

    return random_case
