"""ERIS as the papers count it: Eq. 53; in the tables every client is an aggregator."""

from typing import Any

import numpy as np

from netsim.studies.validate.papers.amounts import Amounts, Place, simulate
from netsim.studies.validate.papers.central import COMPRESSED, SHARED, client
from netsim.studies.validate.papers.reading import ALL, Reading
from netsim.theory.distribution import eq53_eris_s, eris_optimum_s

WHOLE = "the whole model charged to every client, its own shard as well, as Eq. 53 does"
OWN = "own shards kept (erratum 2)"
OWN_SHARED = f"{OWN} and {COMPRESSED}, as with one mask for all"


def eq53(place: Place, aggregators: int, kept: float, kept_back: float) -> Amounts:
    """Eq. 53 as printed; a client sends its whole update and gets a whole model."""
    rates = np.full(place.clients, place.rate_bps)
    sizes = kept * place.model_bits, kept_back * place.model_bits
    time_s = eq53_eris_s(*sizes, rates, rates, np.arange(aggregators))
    return client(place, kept, kept_back, time_s)


def own_kept(place: Place, aggregators: int, kept: float, kept_back: float) -> Amounts:
    """Eq. 53 corrected: aggregators keep their own shards."""
    rates, who = np.full(place.clients, place.rate_bps), np.arange(aggregators)
    shard_bits = np.full(aggregators, place.model_bits / aggregators)
    time_s = eris_optimum_s(kept * shard_bits, kept_back * shard_bits, rates, rates, who)
    others = (place.clients - 1) / place.clients
    return client(place, others * kept, others * kept_back, time_s)


def eris(place: Place, kept: float, first: bool, aggregators: int | None = None) -> list[Reading]:
    """A share ``kept`` sent; the ``first`` version counts the downlink as compressed as well."""
    count, compressed = aggregators or place.clients, first and kept < 1
    back = kept if compressed else 1.0
    run = simulate(place, _config(count, kept, SHARED if compressed else {}))
    whole = eq53(place, count, kept, back)
    own, words = own_kept(place, count, kept, back), OWN_SHARED if compressed else OWN
    notes = {} if run is None else {"upload_MB": _as_aggregator(run)}
    return [
        Reading(WHOLE, whole, run, apart="a node's own shard is not sent", notes=notes),
        Reading(words, own, run, ALL, _whole_coordinates(place, kept), notes),
    ]


def _config(aggregators: int, kept: float, more: dict[str, Any]) -> dict[str, Any]:
    compression = {"kind": "rand_k", "keep": kept, **more} if kept < 1 else None
    return {"kind": "eris", "aggregators": aggregators, "compression": compression}


def _as_aggregator(run: Amounts) -> str:
    return f"as an aggregator a node sends {run['elsewhere_MB']:.6g} MB more"


def _whole_coordinates(place: Place, kept: float) -> str:
    """Why a simulated upload is a little larger."""
    shard = place.parameters / place.clients
    return f"a shard sends whole coordinates, {np.ceil(kept * shard):.0f} of {shard:g}"
