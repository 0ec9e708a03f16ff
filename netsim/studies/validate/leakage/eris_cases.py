"""The runs of ERIS, and of those at a server, that its bounds are compared with."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from netsim.studies.validate.leakage.eris import (
    COORDINATES,
    DRAWN,
    Case,
    counted,
    largest_shard,
    pairs_told,
    told,
)
from netsim.studies.validate.leakage.judged import Claim, LeakageRow, judge
from netsim.studies.validate.leakage.watched import Place, watch

_CLIENTS, _PARAMETERS = 10, 10_000
_PLACE: Final = Place(_CLIENTS, _PARAMETERS, rounds=5)
_LONG: Final = replace(_PLACE, rounds=40)
_RATES: Final = ["100 Mbit/s"] * 5 + ["20 Mbit/s"] * 5
_UNEQUAL: Final = replace(_PLACE, network={"uplink": _RATES, "downlink": _RATES})
_FAILING: Final = replace(_LONG, failures={"links": {"kind": "per_round", "rate": 0.1}})
_RAND_K: Final = {"compression": {"kind": "rand_k", "keep": 0.05}}
_BERNOULLI: Final = {"compression": {"kind": "bernoulli", "keep": 0.05}}
_WHOLE_SHARDS = Case("A=10", 10, _PLACE, (1, 2, 5, 9), {})
_FEW = Case("A=4", 4, _PLACE, (1, 2, 4), {})
_KEPT = Case("A=10, rand-k 0.05", 10, _PLACE, (1, 5), _RAND_K)
_DRAWN = Case("A=10, bernoulli 0.05", 10, _LONG, (1, 5), _BERNOULLI, DRAWN)
_MOVING = Case("A=10, redrawn", 10, _PLACE, (1,), {"masks": "random", "redraw": True})
_FAILED = Case(
    "A=10, 10 % of links fail",
    10,
    _FAILING,
    (1, 5),
    {},
    "shards that failed were not seen, which the theorem does not count on",
)
_OPTIMAL = Case("A=10, optimal shards", 10, _UNEQUAL, (1,), {"shards": "optimal"})
_SERVER: Final[dict[str, tuple[dict[str, Any], float]]] = {
    "fedavg": ({"kind": "fedavg"}, 1.0),
    "soteriafl": ({"kind": "soteriafl", "ldp": None, **_RAND_K}, 0.05),
}


def eris_rows() -> Iterator[LeakageRow]:
    """A run for each case, and all that is said of it."""
    whole = _WHOLE_SHARDS.watch()
    yield from counted(_WHOLE_SHARDS, whole)
    for case in (_FEW, _KEPT, _MOVING, _FAILED):
        yield from counted(case, case.watch())
    drawn = _DRAWN.watch()
    yield from counted(_DRAWN, drawn)
    optimal = _OPTIMAL.watch()
    yield from counted(_OPTIMAL, optimal)
    yield largest_shard(_OPTIMAL, optimal)
    yield from map(_at_server, _SERVER)
    yield from (told(_WHOLE_SHARDS, whole, colluding) for colluding in (1, 5))
    yield from (told(_DRAWN, drawn, colluding) for colluding in (1, 5))
    yield pairs_told(_WHOLE_SHARDS, whole)


def _at_server(protocol: str) -> LeakageRow:
    """A server is one aggregator of A = 1."""
    config, kept = _SERVER[protocol]
    claim = Claim(
        source="ERIS Theorem 3.7",
        protocol=protocol,
        setting="A=1" if kept == 1 else f"A=1, rand-k {kept:g}",
        coalition="server",
        quantity=COORDINATES,
        bound=kept * _PARAMETERS,
        standing="proven",
        reason="a server is the one aggregator of A = 1",
    )
    return judge(claim, watch(config, _PLACE).received_by([_CLIENTS]))
