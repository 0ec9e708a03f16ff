"""Communication volumes and message counts of one round, in closed form.

K is the number of clients, b = ``model_bits`` a dense model in bits.  Every function returns
one entry a node: clients 0 … K − 1, then the server where there is one.  Full participation,
no failures, message headers not counted.  Bits and counts are float64, exact below 2⁵³.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from netsim.theory.seconds import Float64

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Volume:
    """What each node sends and receives in a round; each array is Float64[nodes].

    >>> volume = Volume(np.array([3.0, 4.0]), np.array([4.0, 3.0]), np.array([1.0, 2.0]))
    >>> volume.total_bits, volume.total_messages
    (7.0, 3.0)
    """

    sent_bits: Float64
    received_bits: Float64
    sent_messages: Float64

    @property
    def total_bits(self) -> float:
        """Bits sent in the whole network, each transfer counted once."""
        return float(self.sent_bits.sum())

    @property
    def total_messages(self) -> float:
        """Messages sent in the whole network."""
        return float(self.sent_messages.sum())


def central_volume(clients: int, upload_bits: float, download_bits: float) -> Volume:
    """FedAvg: one update up and one model down a client; with both b, 2b a client.

    >>> fedavg = central_volume(10, 100, 100)
    >>> fedavg.sent_bits[0], fedavg.received_bits[0], fedavg.sent_bits[-1]
    (np.float64(100.0), np.float64(100.0), np.float64(1000.0))
    >>> fedavg.total_bits, fedavg.total_messages
    (2000.0, 20.0)
    """
    ones = np.ones(clients)
    return Volume(
        np.append(ones * upload_bits, clients * download_bits),
        np.append(ones * download_bits, clients * upload_bits),
        np.append(ones, clients),
    )


def priprune_volume(
    clients: int, model_bits: float, pruned: float, *, compressed_downlink: bool
) -> Volume:
    """PriPrune: (1 − ``pruned``) · b up a client.

    Down comes the whole model (ERIS, second version) or as much as went up (first version).

    >>> priprune_volume(10, 100, 0.3, compressed_downlink=False).total_bits
    1700.0
    """
    upload_bits = (1 - pruned) * model_bits
    return central_volume(clients, upload_bits, upload_bits if compressed_downlink else model_bits)


def soteriafl_volume(
    clients: int, model_bits: float, omega: float, *, compressed_downlink: bool
) -> Volume:
    """SoteriaFL: b/(1 + ω) up a client; the downlink as for PriPrune.

    >>> soteriafl_volume(10, 100, 19, compressed_downlink=True).total_bits
    100.0
    """
    upload_bits = model_bits / (1 + omega)
    return central_volume(clients, upload_bits, upload_bits if compressed_downlink else model_bits)


def eris_volume(
    clients: int,
    shard_upload_bits: npt.ArrayLike,
    shard_download_bits: npt.ArrayLike,
    aggregators: Int64,
) -> Volume:
    """ERIS: each client sends shard a to client ``aggregators[a]`` and gets it back averaged.

    Sizes are those of the A shards each way.  A compressed downlink has the same sizes as the
    uplink, a dense one those of the whole shards.  A client's own shard stays with it, so for
    A = K each client sends and receives (K − 1)/K of a model in each of the two phases.

    >>> eris = eris_volume(4, [20, 20], [100, 100], np.array([0, 1]))
    >>> eris.sent_bits.tolist(), eris.received_bits.tolist()
    ([320.0, 320.0, 40.0, 40.0], [160.0, 160.0, 200.0, 200.0])
    >>> eris.total_messages
    12.0
    """
    up = np.bincount(aggregators, shard_upload_bits, clients)
    down = np.bincount(aggregators, shard_download_bits, clients)
    owned = np.bincount(aggregators, minlength=clients).astype(np.float64)
    others = clients - 1
    return Volume(
        up.sum() - up + others * down,
        others * up + down.sum() - down,
        owned.sum() - owned + others * owned,
    )


def neighbours_volume(
    model_bits: float, out_degree: npt.ArrayLike, in_degree: npt.ArrayLike
) -> Volume:
    """D-PSGD and Epidemic Learning: b to each neighbour, so b · r a node on degree r.

    ``out_degree`` and ``in_degree`` have one entry a node.

    >>> neighbours_volume(100, [3, 1, 2], [2, 2, 2]).sent_bits.tolist()
    [300.0, 100.0, 200.0]
    """
    sent = np.asarray(out_degree, np.float64)
    return Volume(sent * model_bits, np.asarray(in_degree, np.float64) * model_bits, sent)


def shatter_virtual_volume(
    clients: int, model_bits: float, virtual_nodes: int, degree: int
) -> Volume:
    """Shatter where node and virtual nodes have links of their own (Section 5.3).

    A node and its k virtual nodes together send b from node to virtual nodes, b · r between
    virtual nodes and b · r back: b + 2br in k + 2kr messages, and receive as much.

    >>> shatter = shatter_virtual_volume(10, 100, 4, 3)
    >>> shatter.sent_bits[0], shatter.sent_messages[0]
    (np.float64(700.0), np.float64(28.0))
    """
    sent_bits = np.full(clients, model_bits * (1.0 + 2 * degree))
    return Volume(sent_bits, sent_bits, np.full(clients, virtual_nodes * (1.0 + 2 * degree)))


def shatter_access_volume(
    clients: int, model_bits: float, virtual_nodes: int, degree: int
) -> Volume:
    """Shatter on the node's own access link: b · r out and in, in kr messages.

    Messages between a node and its virtual nodes are local.  So are those between virtual
    nodes of one node, (k − 1)/(Kk − 1) of all in the mean; they are counted here.

    >>> shatter_access_volume(10, 100, 4, 3).sent_bits[0]
    np.float64(300.0)
    """
    sent_bits = np.full(clients, model_bits * float(degree))
    return Volume(sent_bits, sent_bits, np.full(clients, virtual_nodes * float(degree)))


def ako_volume(clients: int, model_bits: float, partitions: int) -> Volume:
    """Ako: one of v partitions to each of the K − 1 others.

    The tables take v = 5; Eq. 54 takes v = K and counts K partitions rather than K − 1.

    >>> ako_volume(10, 100, 5).sent_bits[0]
    np.float64(180.0)
    """
    sent_bits = np.full(clients, (clients - 1) * model_bits / partitions)
    return Volume(sent_bits, sent_bits, np.full(clients, clients - 1.0))


def qdpsgd_volume(clients: int, model_bits: float, ratio: float, density: float) -> Volume:
    """Q-DPSGD-1: ``ratio`` · b to ``density`` · (K − 1) neighbours, in the mean.

    The tables take 0.1875 and 0.4, so 3.6, 9.6 or 19.6 neighbours.

    >>> round(qdpsgd_volume(10, 5_200, 0.1875, 0.4).sent_bits[0], 6)
    np.float64(3510.0)
    """
    neighbours = density * (clients - 1)
    sent_bits = np.full(clients, neighbours * ratio * model_bits)
    return Volume(sent_bits, sent_bits, np.full(clients, neighbours))
