"""Shatter, Ako, Q-DPSGD-1 and D-PSGD as the papers count them."""

from collections.abc import Mapping

import numpy as np

from netsim.studies.validate.papers.amounts import (
    MB_BITS,
    Amounts,
    Place,
    both_ends,
    simulate,
)
from netsim.studies.validate.papers.reading import ALL, Reading
from netsim.theory import distribution as dist
from netsim.theory import volumes as vol

VIRTUAL_NODES = 4
OWN_LINKS = "virtual nodes on links of their own (erratum 7)"
HALF_DUPLEX = "up and down one after the other, as on half-duplex links (erratum 3)"
UNCOMPRESSED = "the uncompressed volume (erratum 6)"
PARTITIONS, BITS, DENSITY, ROUNDS = 5, 6, 0.4, 5
"""v of Ako; of Q-DPSGD-1 the bits of 32, the overlay, and how many rounds have 3.6, 9.6 and
19.6 neighbours in the mean."""
RATIO = BITS / 32
_TWICE = {"total_MB": "every byte counted at both ends, which other rows of the table do not"}
_TIME = frozenset({"time_s"})


def shatter(place: Place, degree: int) -> list[Reading]:
    """Eq. 55 with virtual nodes on their node's link; and with links of their own."""
    rates, received = np.full(place.clients, place.rate_bps), degree * place.model_MB
    printed = {
        "upload_MB": place.model_MB,
        "download_MB": received,
        "total_MB": received,
        "time_s": dist.eq55_shatter_s(place.model_bits, degree, rates, rates),
    }
    run = simulate(place, _shatter(degree, "shared"))
    own = own_links(place, degree)
    return [
        Reading("one model of upload, as Eq. 55 has it", printed, run, apart="r models are sent"),
        Reading(OWN_LINKS, own, simulate(place, _shatter(degree, "own")), ALL),
    ]


def section(place: Place, degree: int) -> list[Reading]:
    """Shatter, Section 5.3, which counts a node and its virtual nodes together."""
    run, counted = simulate(place, _shatter(degree, "own")), own_links(place, degree)
    return [Reading("", counted, run, notes=_messages(counted, run))]


def own_links(place: Place, degree: int) -> Amounts:
    """d + 2dr sent by a node and its virtual nodes together, in k + 2kr messages.

    On the node's own link one model goes out in chunks and r come back.
    """
    both = vol.shatter_virtual_volume(place.clients, place.model_bits, VIRTUAL_NODES, degree)
    model_s = place.model_bits / place.rate_bps
    return {
        "upload_MB": place.model_MB,
        "download_MB": degree * place.model_MB,
        "total_MB": float(both.sent_bits[0]) / MB_BITS,
        "messages": float(both.sent_messages[0]),
        "time_s": model_s * (1 + degree / VIRTUAL_NODES + degree),
    }


def dpsgd(place: Place, degree: int) -> list[Reading]:
    """A model to each of r neighbours."""
    rates, degrees = np.full(place.clients, place.rate_bps), np.full(place.clients, degree)
    time_s = dist.neighbours_s(place.model_bits, degrees, degrees, rates, rates)
    counted = _sent(vol.neighbours_volume(place.model_bits, degrees, degrees), time_s)
    run = simulate(place, {"kind": "dpsgd", "overlay": {"kind": "k_regular", "degree": degree}})
    return [Reading("", counted, run, notes=_messages(counted, run))]


def ako(place: Place) -> list[Reading]:
    """Eq. 54, and what the tables take: v = 5 partitions whatever K is."""
    rates, model_bits = np.full(place.clients, place.rate_bps), place.model_bits
    volume = vol.ako_volume(place.clients, model_bits, PARTITIONS)
    tables_s = dist.ako_tables_s(model_bits, PARTITIONS, rates, rates)
    run = simulate(place, {"kind": "ako", "partitions": PARTITIONS}, half_duplex=True)
    return [
        Reading(
            HALF_DUPLEX,
            both_ends(_sent(volume, tables_s)),
            None if run is None else both_ends(run),
            _TIME,
            notes=_TWICE,
        )
    ]


def qdpsgd(place: Place) -> list[Reading]:
    """0.1875 of a model to 0.4 (K − 1) neighbours; the total column counts it uncompressed."""
    rates, model_bits = np.full(place.clients, place.rate_bps), place.model_bits
    volume = vol.qdpsgd_volume(place.clients, model_bits, RATIO, DENSITY)
    time_s = dist.qdpsgd_tables_s(model_bits, RATIO, DENSITY, rates, rates)
    counted = both_ends(_sent(volume, time_s))
    whole = {**counted, "total_MB": counted["total_MB"] / RATIO}
    return [
        Reading(HALF_DUPLEX, counted, _qdpsgd(place, BITS), _TIME),
        Reading(UNCOMPRESSED, whole, _qdpsgd(place, 32), ALL, notes=_TWICE),
    ]


def _qdpsgd(place: Place, bits: int) -> Amounts | None:
    config = {"kind": "q_dpsgd_1", "bits": bits, "density": DENSITY, "ldp": None}
    run = simulate(place, config, half_duplex=True, rounds=ROUNDS)
    return None if run is None else both_ends(run)


def _shatter(degree: int, links: str) -> dict[str, object]:
    return {
        "kind": "shatter",
        "virtual_nodes": VIRTUAL_NODES,
        "degree": degree,
        "links": links,
    }


def _sent(volume: vol.Volume, time_s: float) -> Amounts:
    """Of protocols in which all nodes do the same."""
    return {
        "upload_MB": float(volume.sent_bits[0]) / MB_BITS,
        "download_MB": float(volume.received_bits[0]) / MB_BITS,
        "total_MB": float(volume.sent_bits[0]) / MB_BITS,
        "messages": float(volume.sent_messages[0]),
        "time_s": time_s,
    }


def _messages(counted: Amounts, run: Amounts | None) -> Mapping[str, str]:
    if run is None:
        return {}
    text = f"in {counted['messages']:g} messages a node, simulated {run['messages']:g}"
    return {"total_MB": text}
