"""What each node sends and gets, to the bit, against the closed forms of the papers."""

from dataclasses import replace

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import neighbours, random_regular
from netsim.protocols import PROTOCOLS, by_kind
from netsim.theory.volumes import (
    Volume,
    ako_volume,
    central_volume,
    eris_volume,
    neighbours_volume,
    priprune_volume,
    qdpsgd_volume,
    shatter_virtual_volume,
    soteriafl_volume,
)

KINDS = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
K, N, BITS = 7, 100, 3200
FEDAVG = central_volume(K, BITS, BITS)
SHARDS = [480] * 2 + [448] * 5
ERIS = eris_volume(K, SHARDS, SHARDS, np.arange(K))
SPARSE = {"kind": "rand_k", "keep": 0.05}


def regular(bits, degree):
    """So many bits to and from each of ``degree`` neighbours."""
    return neighbours_volume(bits, [degree] * K, [degree] * K)


def shatter_shared(virtual_nodes, degree):
    """What leaves each node on its access link in round 0: chunks for others' virtual nodes."""
    graph = random_regular(degree, K * virtual_nodes, Streams(7), 0)
    away = [
        sum(other // virtual_nodes != v // virtual_nodes for other in others)
        for v, others in enumerate(neighbours(graph))
    ]
    chunks = np.reshape(away, (K, virtual_nodes)).sum(1)
    return Volume(chunks * BITS // virtual_nodes, chunks * BITS // virtual_nodes, chunks)


EXPECTED = {
    "fedavg": [({}, FEDAVG), ({"aggregation": "fsa"}, ERIS)],
    "fedadam": [({}, FEDAVG), ({"aggregation": "fsa"}, ERIS)],
    "fedyogi": [({}, FEDAVG), ({"aggregation": "fsa"}, ERIS)],
    "fednova": [({}, FEDAVG), ({"aggregation": "fsa"}, ERIS)],
    "fedavg_ldp": [({}, FEDAVG), ({"aggregation": "fsa"}, ERIS)],
    "fl_gaussian": [({}, FEDAVG)],
    "fl_laplace": [({}, FEDAVG)],
    "min_leakage": [({}, central_volume(K, 0, BITS))],
    "priprune": [
        ({"rate": rate}, priprune_volume(K, BITS, rate, compressed_downlink=False))
        for rate in (0.1, 0.3)
    ],
    "soteriafl": [
        ({}, soteriafl_volume(K, BITS, 19, compressed_downlink=False)),
        (
            {"compression": SPARSE | {"masks": "shared", "downlink": "compressed"}},
            soteriafl_volume(K, BITS, 19, compressed_downlink=True),
        ),
    ],
    "dpsgd": [
        ({}, regular(BITS, 2)),
        ({"overlay": "star"}, neighbours_volume(BITS, [6] + [1] * 6, [6] + [1] * 6)),
    ],
    "epidemic": [({}, regular(BITS, 4)), ({"degree": 2}, regular(BITS, 2))],
    "sparse_dpsgd": [
        ({"coordinates": coordinates, "keep": 0.05}, regular(5 * 32, 2))
        for coordinates in ("random", "top_k")
    ],
    "dp_sgd": [({}, regular(BITS, 2))],
    "q_dpsgd_1": [
        ({"density": 2 / 3}, qdpsgd_volume(K, BITS, 0.1875, 2 / 3)),
        ({"density": 1, "bits": 3}, qdpsgd_volume(K, BITS, 3 / 32, 1)),
    ],
    "muffliato": [
        ({}, regular(BITS, 40)),
        (
            {"gossip_rounds": 3, "overlay": "ring"},
            replace(regular(3 * BITS, 2), sent_messages=np.full(K, 6)),
        ),
    ],
    "ako": [
        ({}, ako_volume(K, BITS, 5)),
        ({"partitions": 1}, ako_volume(K, BITS, 1)),
        ({"partitions": 50}, ako_volume(K, BITS, 50)),
    ],
    "eris": [
        ({}, ERIS),
        ({"aggregators": 1}, eris_volume(K, [BITS], [BITS], np.arange(1))),
        (
            {"aggregators": 2, "compression": SPARSE},
            eris_volume(K, [3 * 32] * 2, [1600] * 2, np.arange(2)),
        ),
        (
            {
                "aggregators": 2,
                "compression": SPARSE | {"masks": "shared", "downlink": "compressed"},
            },
            eris_volume(K, [3 * 32] * 2, [3 * 32] * 2, np.arange(2)),
        ),
    ],
    "shatter": [
        (
            {"virtual_nodes": 4, "degree": 3, "links": "own"},
            shatter_virtual_volume(K, BITS, 4, 3),
        ),
        ({"virtual_nodes": 4, "degree": 3}, shatter_shared(4, 3)),
        ({"virtual_nodes": 4, "degree": 3, "chunking": "with_replacement"}, shatter_shared(4, 3)),
        ({"virtual_nodes": 1, "degree": 4}, regular(BITS, 4)),
    ],
}
ONE_WAY = {"el_local": [({}, 4), ({"sends": 1}, 1)]}
"""Protocols whose senders do not know how many send to a node."""


def test_every_protocol_has_its_volume():
    """Unless the size of its messages depends on what they carry."""
    by_values = {kind for kind in KINDS if by_kind(kind).Config().needs_values()}
    assert by_values == set(KINDS) - EXPECTED.keys() - ONE_WAY.keys()


def moved(play, toy, kind, settings):
    """Bits sent, bits got and messages sent by each node, with what it brought along."""
    network = {"count": "payload"}
    run = play({"kind": kind} | settings, toy(K, N), rounds=1, network=network)
    on_link = run.transfers.select(run.transfers.on_link)
    names = [name.split(" of ")[-1] for name in on_link.node_names]
    owners = sorted(set(names))
    owner_N = np.array([owners.index(name) for name in names])
    sender, receiver = owner_N[on_link.sender], owner_N[on_link.receiver]
    return (
        np.bincount(sender, on_link.sent_bits, len(owners)).tolist(),
        np.bincount(receiver, on_link.sent_bits, len(owners)).tolist(),
        np.bincount(sender, minlength=len(owners)).tolist(),
    )


@pytest.mark.parametrize(
    ("kind", "settings", "volume"),
    [(kind, settings, volume) for kind, cases in EXPECTED.items() for settings, volume in cases],
)
def test_each_node_sends_what_the_closed_form_says(play, toy, kind, settings, volume):
    """To the bit, payload counted, and how many messages; virtual nodes with their node."""
    sent, received, messages = moved(play, toy, kind, settings)
    assert sent == pytest.approx(volume.sent_bits.tolist(), abs=1e-9)
    assert received == pytest.approx(volume.received_bits.tolist(), abs=1e-9)
    assert messages == pytest.approx(volume.sent_messages.tolist(), abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "settings", "sends"),
    [(kind, settings, sends) for kind, cases in ONE_WAY.items() for settings, sends in cases],
)
def test_each_node_sends_to_so_many(play, toy, kind, settings, sends):
    """What it gets is random; in the mean as much."""
    sent, received, messages = moved(play, toy, kind, settings)
    assert (sent, messages) == ([sends * BITS] * K, [sends] * K)
    assert sum(received) == sends * BITS * K
