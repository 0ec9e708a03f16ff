"""ERIS, Theorem 3.7 and Corollary D.2: coordinates that aggregators get, and nats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from netsim.protocols import by_kind
from netsim.protocols.eris import ErisConfig
from netsim.studies.validate.leakage.judged import Claim, LeakageRow, judge
from netsim.studies.validate.leakage.watched import Place, Watched, watch
from netsim.theory.leakage import (
    eris_coordinates,
    eris_leakage_nats,
    gaussian_coordinate_nats,
    gaussian_pair_nats,
)
from netsim.wire.shards import ContiguousShards

COORDINATES: Final = "coordinates/round"
NATS: Final = "nats/run"
VARIANCE, CONDITIONAL, CORRELATION = 1.0, 0.5, 0.99
"""σ² of a coordinate and σ_cond² given the data, and ρ between two whose noise is correlated."""

EQUAL = "what is counted, n p/A in the mean over the masks, is what arrives"
DRAWN = (
    "the theorem counts in the mean over the masks: a round may reveal more (most), up to n A_c/A"
)
LARGEST = (
    "the theorem takes shards of n/A; this one is larger, as its link is faster.  With the share "
    "of the largest shard for 1/A it holds, and in the mean over aggregators it does"
)
_GAUSSIAN = "C_max = ½ ln(σ²/σ_cond²) for each coordinate that arrived, all independent"
_PAIRS = (
    "Theorem 3.7 needs coordinates that are independent given data and history: here the noise "
    f"of each two neighbours has correlation {CORRELATION}, C_max is the same, and two tell more "
    "than twice what one does"
)


@dataclass(frozen=True)
class Case:
    """An ERIS run: ``more`` of its config, at a ``place``, and how many aggregators collude."""

    setting: str
    aggregators: int
    place: Place
    colluding: Sequence[int]
    more: dict[str, Any]
    reason: str = EQUAL

    @property
    def config(self) -> dict[str, Any]:
        """Its entry of ``runs:``."""
        return {"kind": "eris", "aggregators": self.aggregators, **self.more}

    def watch(self) -> Watched:
        """Play it."""
        return watch(self.config, self.place)

    def kept(self) -> float:
        """p: what is sent of a vector that is cut like this, in the mean over the masks.

        Rand-k keeps whole coordinates, ⌈keep · |shard|⌉ of each shard.
        """
        config = by_kind("eris").Config.model_validate(self.config)
        assert isinstance(config, ErisConfig)
        if config.compression is None:
            return 1.0
        n = self.place.parameters
        bits = config.compression.compressor().payload_bits(ContiguousShards(n, self.aggregators))
        return float(self.more["compression"]["keep"]) if bits is None else bits / 32 / n

    def bound(self, colluding: int) -> float:
        """n p A_c/A."""
        return eris_coordinates(
            self.place.parameters, self.kept(), self.aggregators, colluding=colluding
        )

    def claim(self, colluding: int, quantity: str, bound: float, reason: str) -> Claim:
        """What the theorem for so many aggregators says."""
        return Claim(
            source="ERIS Theorem 3.7" if colluding == 1 else "ERIS Corollary D.2",
            protocol="eris",
            setting=self.setting,
            coalition=f"{colluding} aggregator{'s' if colluding > 1 else ''}",
            quantity=quantity,
            bound=bound,
            standing="proven",
            reason=reason,
        )


def counted(case: Case, run: Watched) -> Iterator[LeakageRow]:
    """Coordinates, for every size of coalition."""
    for colluding in case.colluding:
        measured = run.received(colluding, range(case.aggregators))
        claim = case.claim(colluding, COORDINATES, case.bound(colluding), case.reason)
        yield judge(claim, measured)


def told(case: Case, run: Watched, colluding: int) -> LeakageRow:
    """Nats over all rounds, of coordinates that are Gaussian and independent."""
    place, each = case.place, gaussian_coordinate_nats(VARIANCE, CONDITIONAL)
    given = (place.parameters, place.rounds, case.kept(), case.aggregators, each)
    bound = eris_leakage_nats(*given, colluding=colluding)
    received = run.received(colluding, range(case.aggregators))
    reason = f"{_GAUSSIAN}; {DRAWN}" if received.error else _GAUSSIAN
    return judge(case.claim(colluding, NATS, bound, reason), received.times(each * place.rounds))


def pairs_told(case: Case, run: Watched) -> LeakageRow:
    """The same where the noise of two neighbours is correlated: no bound.

    For whole contiguous shards of even size, which hold both of each pair.
    """
    sizes = ContiguousShards(case.place.parameters, case.aggregators).sizes
    assert not case.more, "shards that are neither whole nor contiguous"
    assert not (sizes % 2).any(), "shards that part pairs"
    together = gaussian_pair_nats(VARIANCE, CONDITIONAL, CORRELATION)
    alone = told(case, run, 1)
    assert alone.bound is not None
    received = run.received(1, range(case.aggregators))
    claim = case.claim(1, NATS, alone.bound, _PAIRS)
    claim = replace(claim, setting=f"{case.setting}, noise ρ = {CORRELATION}", standing="printed")
    return judge(claim, received.times(together / 2 * case.place.rounds))


def largest_shard(case: Case, run: Watched) -> LeakageRow:
    """The aggregator that gets most, where shards are of unequal size."""
    each = [run.received_by([a]) for a in range(case.aggregators)]
    claim = case.claim(1, COORDINATES, case.bound(1), LARGEST)
    claim = replace(claim, coalition="of the largest shard", standing="printed")
    return judge(claim, max(each, key=lambda measured: measured.mean))
