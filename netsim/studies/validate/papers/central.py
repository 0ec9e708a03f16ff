"""FedAvg, PriPrune and SoteriaFL as the papers count them: Eq. 52."""

from typing import Any

import numpy as np

from netsim.studies.validate.papers.amounts import MB_BITS, Amounts, Place, simulate
from netsim.studies.validate.papers.reading import BACK, Reading
from netsim.theory.distribution import eq52_fedavg_s

COMPRESSED = "the downlink counted as compressed too (erratum 1)"
SHARED = {"masks": "shared", "downlink": "compressed"}
_DENSE_BACK = "clients' masks differ, so what comes back is dense"


def eq52(place: Place, kept: float, kept_back: float) -> Amounts:
    """``kept`` of a model up, ``kept_back`` of one down, a server with a client's rates."""
    rates, model_bits = np.full(place.clients, place.rate_bps), place.model_bits
    sizes = kept * model_bits, kept_back * model_bits
    time_s = eq52_fedavg_s(*sizes, rates, rates, place.rate_bps, place.rate_bps)
    return client(place, kept, kept_back, time_s)


def client(place: Place, kept: float, kept_back: float, time_s: float) -> Amounts:
    """A client that sends ``kept`` of a model and gets ``kept_back`` of one."""
    up_MB, down_MB = kept * place.model_MB, kept_back * place.model_MB
    return {
        "upload_MB": up_MB,
        "download_MB": down_MB,
        "total_MB": up_MB + down_MB,
        "time_s": time_s,
    }


def fedavg(place: Place) -> list[Reading]:
    """Nothing is compressed."""
    return [Reading("", eq52(place, 1, 1), simulate(place, {"kind": "fedavg"}))]


def priprune(place: Place, rate: float, first: bool, printed_MB: float) -> list[Reading]:
    """A share ``rate`` withheld; the ``first`` version counts the downlink as pruned as well.

    ``printed_MB`` is the upload as printed, from which some times were computed.
    """
    kept, run = 1 - rate, simulate(place, {"kind": "priprune", "rate": rate})
    if not first:
        return [Reading("", eq52(place, kept, 1), run)]
    rounded = printed_MB * MB_BITS / place.model_bits
    words = f"the upload as printed, {printed_MB:g} MB, and {COMPRESSED}"
    return [
        Reading(COMPRESSED, eq52(place, kept, kept), run, BACK, _DENSE_BACK),
        Reading(words, eq52(place, rounded, rounded), run, BACK, _DENSE_BACK),
    ]


def soteriafl(place: Place, kept: float, first: bool) -> list[Reading]:
    """A share ``kept`` sent; the ``first`` version counts the downlink as compressed as well."""
    if not first:
        return [Reading("", eq52(place, kept, 1), simulate(place, _soteriafl(kept, {})))]
    run = simulate(place, _soteriafl(kept, SHARED))
    words = f"{COMPRESSED}, as with one mask for all"
    return [Reading(words, eq52(place, kept, kept), run, BACK)]


def _soteriafl(kept: float, more: dict[str, Any]) -> dict[str, Any]:
    compression = {"kind": "rand_k", "keep": kept, **more}
    return {"kind": "soteriafl", "ldp": None, "compression": compression}
