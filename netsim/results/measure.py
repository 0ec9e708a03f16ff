"""Times, bits and counts of a set of transfers.

Array shapes: T transfers, R rounds (those that occur, ascending), K kinds, S statuses, N nodes,
H hosts (access links, several nodes may share one).
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from netsim.results.records import (
    ABORTED,
    DELIVERED,
    LOCAL,
    STATUSES,
    RoleTraffic,
    Traffic,
    Transfers,
)

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SAME_INSTANT_S = 1e-9
"""Rounds that meet within this time (relative, for late times) do not overlap."""


def union_length(start_s: Floats, end_s: Floats) -> float:
    """Length of the union of the intervals [start_s, end_s], in seconds; shapes [T]."""
    if len(start_s) == 0:
        return 0.0
    order = np.argsort(start_s)
    start_s = start_s[order]
    reach_s = np.maximum.accumulate(end_s[order])
    opens = np.concatenate(([True], start_s[1:] > reach_s[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return math.fsum(reach_s[closes] - start_s[opens])


def distribution_times(transfers: Transfers) -> dict[int, float | None]:
    """Seconds in which a transfer of a round is on its way, latency included, by round.

    None for a round that overlaps another: the two cannot be told apart in a sum. Rounds
    without a transfer on a link are absent.
    """
    numbers, groups = _rows_by_round(transfers)
    spans = [(transfers.start_s[g].min(), transfers.end_s[g].max()) for g in groups]
    apart = _apart(spans)
    times: dict[int, float | None] = {}
    for number, group, alone in zip(numbers.tolist(), groups, apart, strict=True):
        length = union_length(transfers.start_s[group], transfers.end_s[group])
        times[number] = length if alone else None
    return times


def _rows_by_round(transfers: Transfers) -> tuple[Ints, list[npt.NDArray[np.intp]]]:
    rows = np.flatnonzero(transfers.on_link)
    rows = rows[np.argsort(transfers.round[rows], kind="stable")]
    numbers, firsts = np.unique(transfers.round[rows], return_index=True)
    return numbers, np.split(rows, firsts[1:]) if len(rows) else []


def _apart(spans: list[tuple[float, float]]) -> list[bool]:
    """Whether each span [first send, last arrival] shares no time with another."""
    apart = [True] * len(spans)
    reach_s, last = -math.inf, 0
    for i in sorted(range(len(spans)), key=spans.__getitem__):
        start_s, end_s = spans[i]
        if reach_s - start_s > SAME_INSTANT_S * max(1.0, abs(start_s)):
            apart[i] = apart[last] = False
        if end_s >= reach_s:
            reach_s, last = end_s, i
    return apart


def traffic(transfers: Transfers) -> Traffic:
    """What all transfers together moved."""
    return _traffic(transfers, {name: sums.sum(axis=0) for name, sums in _sums(transfers).items()})


def traffic_by_round(transfers: Transfers) -> dict[int, Traffic]:
    """What the transfers of each round moved; rounds without a message are absent."""
    sums = _sums(transfers)
    return {
        number: _traffic(transfers, {name: table[i] for name, table in sums.items()})
        for i, number in enumerate(np.unique(transfers.round).tolist())
    }


def _sums(transfers: Transfers) -> Mapping[str, Ints]:
    """Exact sums [R, K, S] of the columns that count."""
    numbers, place = np.unique(transfers.round, return_inverse=True)
    shape = (len(numbers), len(transfers.kinds), len(STATUSES))
    sums = {}
    for name in ("payload_bits", "wire_bits", "carried_bits", "sent_bits"):
        sums[name] = np.zeros(shape, np.int64)
        np.add.at(sums[name], (place, transfers.kind, transfers.status), getattr(transfers, name))
    return sums


def _traffic(transfers: Transfers, sums: Mapping[str, Ints]) -> Traffic:
    """Totals of tables [K, S]."""
    on_link = [DELIVERED, ABORTED]
    upload_K = sums["sent_bits"][:, on_link].sum(axis=1).tolist()
    download_K = sums["carried_bits"][:, DELIVERED].tolist()
    upload: Counter[str] = Counter()
    download: Counter[str] = Counter()
    for kind, up, down in zip(transfers.kinds, upload_K, download_K, strict=True):
        upload[kind.sender_role] += up
        download[kind.receiver_role] += down
    roles = sorted({*upload, *download})
    return Traffic(
        payload_bits=int(sums["payload_bits"][:, on_link].sum()),
        wire_bits=int(sums["wire_bits"][:, on_link].sum()),
        sent_bits=sum(upload_K),
        delivered_bits=sum(download_K),
        lost_bits=int(sums["sent_bits"][:, ABORTED].sum()),
        by_role={role: RoleTraffic(upload[role], download[role]) for role in roles},
    )


@dataclass(frozen=True)
class HostTraffic:
    """Bits that left and reached each host's access link; shapes [H]."""

    upload_bits: Ints
    download_bits: Ints


def host_traffic(transfers: Transfers) -> HostTraffic:
    """What each host sent, lost bits included, and what reached it."""
    host_N = np.array(transfers.node_hosts, np.int64)
    upload_bits = np.zeros(host_N.max(initial=-1) + 1, np.int64)
    download_bits = np.zeros_like(upload_bits)
    np.add.at(upload_bits, host_N[transfers.sender], transfers.sent_bits)
    arrived = transfers.status == DELIVERED
    receivers = host_N[transfers.receiver[arrived]]
    np.add.at(download_bits, receivers, transfers.carried_bits[arrived])
    return HostTraffic(upload_bits, download_bits)


def message_counts(transfers: Transfers) -> dict[str, int]:
    """Messages by the name of their kind as the protocol sends them, local ones included."""
    counts: Counter[str] = Counter()
    per_kind = np.bincount(transfers.kind, minlength=len(transfers.kinds)).tolist()
    for kind, count in zip(transfers.kinds, per_kind, strict=True):
        counts[kind.name] += count
    return dict(sorted(counts.items()))


def aborted_messages(transfers: Transfers) -> int:
    """Messages that were cut off on their way and did not arrive."""
    return int(np.count_nonzero(transfers.status == ABORTED))


def local_messages(transfers: Transfers) -> int:
    """Messages between nodes of one host, which cost nothing."""
    return int(np.count_nonzero(transfers.status == LOCAL))
