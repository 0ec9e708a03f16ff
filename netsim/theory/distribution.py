"""Closed forms of the distribution time of one round.

Sizes are in bits, rates in bit/s, times in seconds.  ``uplink_bps`` and ``downlink_bps`` hold
the rates of the K clients' access links (full duplex); the core and latencies cost nothing.
A needed link of rate 0 gives ``inf``; a negative or NaN rate or size raises ``ValueError``.
Equation numbers are those of ERIS, first version, appendix F.2.1.

The examples take the setting of that paper's tables where nothing else is said: 20 MB/s each
way, models of 5.2 GB for K = 10 and 6.6 MB for K = 50.
"""

import numpy as np
import numpy.typing as npt

from netsim.theory.seconds import Float64, longest_s

Int64 = npt.NDArray[np.int64]


def eq52_fedavg_s(
    upload_bits: float,
    download_bits: float,
    uplink_bps: Float64,
    downlink_bps: Float64,
    server_uplink_bps: float,
    server_downlink_bps: float,
) -> float:
    """Eq. 52: a server collects K updates, then sends the model to all.

    The equation has one size b both ways.  Central methods that compress what is sent
    (PriPrune, SoteriaFL) differ in ``upload_bits``, and in ``download_bits`` where the
    downlink is compressed too.  Equals the phase bound of both phases, so it is exact.

    >>> rates, model_bits = np.full(10, 160e6), 8 * 5_200_000_000
    >>> eq52_fedavg_s(model_bits, model_bits, rates, rates, 160e6, 160e6)
    5200.0
    """
    clients = len(uplink_bps)
    collect_s = longest_s(clients * upload_bits, server_downlink_bps)
    send_out_s = longest_s(clients * download_bits, server_uplink_bps)
    slowest_upload_s = longest_s(upload_bits, uplink_bps)
    slowest_download_s = longest_s(download_bits, downlink_bps)
    return max(collect_s, slowest_upload_s) + max(send_out_s, slowest_download_s)


def eq53_eris_s(
    upload_bits: float,
    download_bits: float,
    uplink_bps: Float64,
    downlink_bps: Float64,
    aggregators: Int64,
) -> float:
    """Eq. 53 as printed: A aggregators among the clients, each with 1/A of the model.

    ``aggregators`` are the A clients that aggregate.  The equation has one size b' both ways
    (first version); with the dense downlink of the second, ``download_bits`` is b.

    No lower bound: every client is charged the whole model, its own shard included.  For
    equal sizes both ways and K > 1 it lies between the optimum with a barrier
    (``eris_optimum_s``) and twice that.

    320 Mbit compressed to 5 %, 100 Mbit/s, K = 50 and A = 2: 40.8 times faster than FedAvg.

    >>> rates = np.full(50, 100e6)
    >>> round(eq53_eris_s(16e6, 16e6, rates, rates, np.arange(2)), 6)
    7.84
    """
    others, shards = len(uplink_bps) - 1, len(aggregators)
    collect_s = longest_s(others * upload_bits / shards, downlink_bps[aggregators])
    send_out_s = longest_s(others * download_bits / shards, uplink_bps[aggregators])
    slowest_upload_s = longest_s(upload_bits, uplink_bps)
    slowest_download_s = longest_s(download_bits, downlink_bps)
    return max(collect_s, slowest_upload_s) + max(send_out_s, slowest_download_s)


def eris_optimum_s(
    shard_upload_bits: npt.ArrayLike,
    shard_download_bits: npt.ArrayLike,
    uplink_bps: Float64,
    downlink_bps: Float64,
    aggregators: Int64,
) -> float:
    """Eq. 53 corrected: an aggregator keeps its own shard, each link counts what it carries.

    ``shard_upload_bits`` and ``shard_download_bits`` are the sizes of the A shards each way;
    shard a belongs to client ``aggregators[a]``.  With a barrier between collecting and
    sending out this is the exact optimum.  For A = K, equal rates and one size both ways it
    is 2(K − 1) · max|shard| / rate.

    The tables' row for a 5.2 GB model and A = K = 10:

    >>> rates, shard_bits = np.full(10, 160e6), np.full(10, 8 * 520_000_000)
    >>> eris_optimum_s(shard_bits, shard_bits, rates, rates, np.arange(10))
    468.0
    """
    there_in, there_out = _scattered_bits(shard_upload_bits, len(uplink_bps), aggregators)
    back_out, back_in = _scattered_bits(shard_download_bits, len(uplink_bps), aggregators)
    collect_s = max(longest_s(there_out, uplink_bps), longest_s(there_in, downlink_bps))
    send_out_s = max(longest_s(back_out, uplink_bps), longest_s(back_in, downlink_bps))
    return collect_s + send_out_s


def _scattered_bits(
    shard_bits: npt.ArrayLike, clients: int, aggregators: Int64
) -> tuple[Float64, Float64]:
    """By client: bits of its own shards with all others, and bits of all the others' shards."""
    own = np.bincount(aggregators, shard_bits, clients).astype(np.float64)
    return (clients - 1) * own, own.sum() - own


def eq54_ako_s(model_bits: float, uplink_bps: Float64, downlink_bps: Float64) -> float:
    """Eq. 54: Ako with v = K partitions, so that each node sends and gets one model in all.

    >>> rates = np.full(10, 160e6)
    >>> eq54_ako_s(8 * 5_200_000_000, rates, rates)
    260.0
    """
    return max(longest_s(model_bits, uplink_bps), longest_s(model_bits, downlink_bps))


def ako_tables_s(
    model_bits: float, partitions: int, uplink_bps: Float64, downlink_bps: Float64
) -> float:
    """Ako as the tables count it, with v = 5 ``partitions`` whatever K is.

    Each node sends one partition to each of the K − 1 others, first all up, then all down.

    >>> rates = np.full(10, 160e6)
    >>> ako_tables_s(8 * 5_200_000_000, 5, rates, rates)
    936.0
    """
    each_way_bits = (len(uplink_bps) - 1) * model_bits / partitions
    return longest_s(each_way_bits, uplink_bps) + longest_s(each_way_bits, downlink_bps)


def eq55_shatter_s(
    model_bits: float, degree: int, uplink_bps: Float64, downlink_bps: Float64
) -> float:
    """Eq. 55 as printed: Shatter on an overlay of degree r between virtual nodes.

    Counts one model of upload a node; the virtual nodes' r models a node enter only through
    r · b / Σ uplinks, which bounds nothing.  With slow uplinks it is several times too small.

    >>> rates = np.full(10, 160e6)
    >>> eq55_shatter_s(8 * 5_200_000_000, 3, rates, rates)
    780.0
    """
    received_bits = degree * model_bits
    pooled_s = longest_s(received_bits, np.sum(uplink_bps))
    upload_s = longest_s(model_bits, uplink_bps)
    return max(upload_s, longest_s(received_bits, downlink_bps), pooled_s)


def shatter_pooled_s(
    model_bits: float, degree: int, uplink_bps: Float64, downlink_bps: Float64
) -> float:
    """Eq. 55 with its third term corrected to K · r · b / Σ uplinks.

    All nodes together send K · r models.  A bound wherever the virtual nodes sit, as long as
    they send through the nodes' uplinks.

    Uplinks a quarter of the downlinks make it r · b / uplink:

    >>> shatter_pooled_s(8 * 5_200_000_000, 3, np.full(10, 40e6), np.full(10, 160e6))
    3120.0
    """
    all_sent_bits = len(uplink_bps) * degree * model_bits
    pooled_s = longest_s(all_sent_bits, np.sum(uplink_bps))
    upload_s = longest_s(model_bits, uplink_bps)
    return max(upload_s, longest_s(degree * model_bits, downlink_bps), pooled_s)


def shatter_access_s(
    model_bits: float, degree: int, uplink_bps: Float64, downlink_bps: Float64
) -> float:
    """Eq. 55 corrected for virtual nodes on their node's own access link.

    Messages between a node and its virtual nodes are local; r models go out and r come in.
    The pooled term K · r · b / Σ uplinks never exceeds r · b / min uplink.  Where the overlay
    joins virtual nodes of one node, (k − 1)/(Kk − 1) of the edges in the mean, less is sent.

    >>> shatter_access_s(8 * 6_600_000, 4, np.full(50, 160e6), np.full(50, 160e6))
    1.32
    """
    return neighbours_s(model_bits, degree, degree, uplink_bps, downlink_bps)


def neighbours_s(
    model_bits: float,
    out_degree: npt.ArrayLike,
    in_degree: npt.ArrayLike,
    uplink_bps: Float64,
    downlink_bps: Float64,
) -> float:
    """D-PSGD and Epidemic Learning: each node sends its model to its neighbours.

    Degrees are one number or one a node; only in EL-Local do they differ between the two
    directions.  Equals the phase bound of the round's one phase.

    >>> rates = np.full(50, 160e6)
    >>> neighbours_s(8 * 6_600_000, 4, 4, rates, rates)
    1.32
    """
    sent_bits = np.multiply(out_degree, model_bits)
    received_bits = np.multiply(in_degree, model_bits)
    return max(longest_s(sent_bits, uplink_bps), longest_s(received_bits, downlink_bps))


def qdpsgd_tables_s(
    model_bits: float, ratio: float, density: float, uplink_bps: Float64, downlink_bps: Float64
) -> float:
    """Q-DPSGD-1 as the tables count it: ``ratio`` · b to ``density`` · (K − 1) neighbours.

    First all up, then all down, as for Ako.  The tables take 0.1875 and 0.4.

    >>> rates = np.full(10, 160e6)
    >>> round(qdpsgd_tables_s(8 * 5_200_000_000, 0.1875, 0.4, rates, rates), 6)
    351.0
    """
    each_way_bits = ratio * density * (len(uplink_bps) - 1) * model_bits
    return longest_s(each_way_bits, uplink_bps) + longest_s(each_way_bits, downlink_bps)
