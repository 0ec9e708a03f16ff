"""Shatter, Theorems 2 to 4: chunks that other nodes get, and what these tell of the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.protocols.chunking import Chunking
from netsim.studies.validate.leakage.judged import ERRORS, ROUNDING, Claim, LeakageRow, judge
from netsim.studies.validate.leakage.watched import SEED, Measured, Place, Watched, watch
from netsim.theory.gaussian import (
    Bool,
    conditional_spectrum,
    information_nats,
    neighbouring_covariance,
)
from netsim.theory.leakage import (
    shatter_coordinates,
    shatter_coordinates_printed,
    shatter_leakage_nats,
    shatter_leakage_printed,
    shatter_whole_model_printed,
    shatter_whole_model_range,
)

CORRELATION = 0.9
"""Of neighbouring parameters of the Gaussian model for which Theorem 4 is evaluated."""

_EXACT: Final = "the exact count d(1 − C(N−1−ck, r)/C(N−1, r)), for c that collude"
_PRINTED: Final = (
    "Eq. 10 takes the k edges between a virtual node and the observer's for independent; given "
    "one that is none, another is more likely to be one"
)
_WHOLE: Final = "an approximation: k chunks, and the k edges of each, are taken for independent"
_CERTAIN: Final = (
    "all k chunks are seen at most as often as one of them, Theorem 3's π; and no less often "
    "than 1 − k(1 − π)"
)
_CORRECTED: Final = (
    "the proof's ½ ln(Γ B̂^d d^(d/2)) for parameters of correlation "
    f"{CORRELATION}^|i−j|, at the node, observer and round that come nearest; it takes Hadamard's "
    "bound for any matrix, that for a covariance would be without d^(d/2)"
)
_UNCORRECTED: Final = (
    "the theorem is printed without the ½ ln of its proof: a bound still, as ½ ln z < z, but an "
    "empty one"
)


@dataclass(frozen=True)
class Case:
    """k ``virtual_nodes`` a node on a graph of degree r, at a ``place``; and how many collude."""

    virtual_nodes: int
    degree: int
    place: Place
    colluding: tuple[int, ...] = (1,)

    @property
    def graph(self) -> tuple[int, int, int]:
        """n, k and r."""
        return self.place.clients, self.virtual_nodes, self.degree

    def watch(self) -> Watched:
        """Play it."""
        config = {"kind": "shatter", "virtual_nodes": self.virtual_nodes, "degree": self.degree}
        return watch(config, self.place)

    def claim(self, theorem: str, quantity: str, bound: float, reason: str) -> Claim:
        """What a theorem says of one observer; a bound that is proven."""
        n, k, r = self.graph
        return Claim(
            source=f"Shatter Theorem {theorem}",
            protocol="shatter",
            setting=f"n={n}, k={k}, r={r}",
            coalition="1 node",
            quantity=quantity,
            bound=bound,
            standing="proven",
            reason=reason,
        )


def whole_models(case: Case, run: Watched) -> Iterator[LeakageRow]:
    """Theorem 2: how often one node gets the whole model of another."""
    clients, n = range(case.place.clients), case.place.parameters
    by_ORK = np.stack([run.observed.by([each]) for each in clients])
    pairs = case.place.clients * (case.place.clients - 1)
    measured = Measured.of((by_ORK == n).sum(axis=(0, 2)) / pairs)
    quantity = "P(whole model)"
    printed = case.claim("2", quantity, shatter_whole_model_printed(*case.graph), _WHOLE)
    yield judge(replace(printed, standing="approximation"), measured)
    low, high = shatter_whole_model_range(*case.graph)
    row = judge(case.claim("2, certain", quantity, high, _CERTAIN), measured)
    too_rare = measured.mean < low * (1 - ROUNDING) - ERRORS * measured.error
    yield replace(row, verdict="bound violated (below the least)", broken=True) if too_rare else row


def chunks(case: Case, run: Watched) -> Iterator[LeakageRow]:
    """Theorem 3: parameters that nodes get of another's model, exactly and as printed."""
    n, quantity = case.place.parameters, "coordinates/round"
    for colluding in case.colluding:
        measured = run.received(colluding, range(case.place.clients))
        exact = shatter_coordinates(n, *case.graph, colluding=colluding)
        claim = case.claim("3", quantity, exact, _EXACT)
        coalition = f"{colluding} node{'s' if colluding > 1 else ''}"
        yield judge(replace(claim, coalition=coalition), measured)
        if colluding == 1:
            printed = shatter_coordinates_printed(n, *case.graph)
            claim = case.claim("3, printed", quantity, printed, _PRINTED)
            yield judge(replace(claim, standing="approximation"), measured)


def told(case: Case, run: Watched) -> Iterator[LeakageRow]:
    """Theorem 4: what the parameters that a node got tell of those it did not, in nats.

    For each pair and round in which it got some and not all; the one nearest to its bound is
    shown.
    """
    covariance = neighbouring_covariance(case.place.parameters, CORRELATION)
    found = [_information(covariance, received) for received in partly_received(case, run)]
    nats, corrected, printed = max(found, key=lambda each: each[0] / each[1])
    measured = Measured(nats, 0.0)
    yield judge(case.claim("4, with ½ ln", "nats/round", corrected, _CORRECTED), measured)
    yield judge(case.claim("4, printed", "nats/round", printed, _UNCORRECTED), measured)


def partly_received(case: Case, run: Watched) -> Iterator[Bool]:
    """The different sets of parameters, Bool[N], that some node got of another in a round."""
    k, n, seen = case.virtual_nodes, case.place.parameters, run.observed
    chunk = (run.sender - case.place.clients) % k
    who = np.stack([seen.round, seen.client, seen.observer], axis=1)
    pair = np.unique(who, axis=0, return_inverse=True)[1].ravel()
    got = np.zeros((pair.max() + 1, k), bool)
    got[pair, chunk] = True
    cut = Chunking("static", n, k, Streams(SEED)).of(0)
    for chunks_k in np.unique(got, axis=0):
        received_N = np.zeros(n, bool)
        for each in np.flatnonzero(chunks_k):
            received_N[cut.selector(int(each))] = True
        if not received_N.all():
            yield received_N


def _information(covariance_NN: np.ndarray, received_N: Bool) -> tuple[float, float, float]:
    """Nats, and the bound as corrected and as printed."""
    spectrum = conditional_spectrum(covariance_NN, received_N)
    largest = float(np.abs(covariance_NN).max())
    given = (int(received_N.sum()), largest, *spectrum)
    nats = information_nats(covariance_NN, received_N)
    return nats, shatter_leakage_nats(*given), shatter_leakage_printed(*given)


_PLACE: Final = Place(clients=10, parameters=120, rounds=200)
_CASES: Final = (
    Case(1, 4, _PLACE),
    Case(2, 4, _PLACE),
    Case(4, 4, _PLACE, (1, 2, 3)),
    Case(4, 8, replace(_PLACE, clients=5)),
)


def shatter_rows() -> Iterator[LeakageRow]:
    """A run for each graph, and what the theorems say of it."""
    runs = [(case, case.watch()) for case in _CASES]
    for rows in (whole_models, chunks):
        for case, run in runs:
            yield from rows(case, run)
    for case, run in runs[1:3]:
        yield from told(case, run)
