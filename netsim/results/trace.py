"""``trace.json``: the rounds and transfers of all runs, for Perfetto or chrome://tracing.

Chrome's JSON trace format: a process a run, with a track for its rounds and one for each
node's uplink. Slices of a track must not overlap, so transfers that run at the same time lie
on lanes of their own, which belong to the uplink by their name.
"""

import heapq
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from netsim.results.records import DELIVERED, STATUSES, RoundRecord, RunResult, Transfers

Event = dict[str, Any]

MAX_TRANSFERS = 100_000
"""Transfers drawn, all runs together (about 20 MB); viewers get slow beyond a few times that."""


def write_trace(path: Path, runs: Sequence[RunResult], max_transfers: int = MAX_TRANSFERS) -> None:
    """Write the first rounds of each run, as many as its share of ``max_transfers`` holds."""
    budget = max(1, max_transfers // max(1, len(runs)))
    shown = [_first_rounds(run.transfers, budget) for run in runs]
    about = [_about(run, transfers) for run, transfers in zip(runs, shown, strict=True)]
    tracks = count(len(runs) + 1)
    encode = json.JSONEncoder(allow_nan=False).encode
    with path.open("w", encoding="utf-8") as file:
        head = {"displayTimeUnit": "ms", "otherData": {"tool": "netsim", "runs": about}}
        file.write(encode(head)[:-1] + ', "traceEvents": [')
        comma = ""
        for pid, (run, transfers) in enumerate(zip(runs, shown, strict=True), start=1):
            for event in _events(run, transfers, tracks):
                file.write(f"{comma}\n{encode(event | {'pid': pid})}")
                comma = ","
        file.write("\n]}\n")


def _first_rounds(transfers: Transfers, budget: int) -> Transfers:
    """The first ``budget`` transfers on links by round, then by start."""
    rows = np.flatnonzero(transfers.on_link)
    order = np.lexsort((transfers.start_s[rows], transfers.round[rows]))
    return transfers.select(rows[order[:budget]])


def _about(run: RunResult, shown: Transfers) -> Event:
    return {
        "run": run.label,
        "transfers": int(np.count_nonzero(run.transfers.on_link)),
        "transfers_shown": len(shown),
        "last_round_shown": int(shown.round[-1]) if len(shown) else None,
    }


def _events(run: RunResult, transfers: Transfers, tracks: Iterator[int]) -> Iterator[Event]:
    yield {"ph": "M", "name": "process_name", "args": {"name": run.label}}
    yield from _track("rounds", [_round_slice(record) for record in run.rounds], tracks)
    host = np.array(transfers.node_hosts, np.int64)[transfers.sender]
    order = np.argsort(host, kind="stable")
    hosts, firsts = np.unique(host[order], return_index=True)
    for number, rows in zip(hosts.tolist(), np.split(order, firsts[1:]), strict=False):
        name = f"{transfers.host_name(number)} uplink"
        yield from _track(name, list(_slices(transfers.select(rows))), tracks)
    left_out = int(np.count_nonzero(run.transfers.on_link)) - len(transfers)
    if left_out:
        yield _note(transfers, left_out, next(tracks))


@dataclass(frozen=True)
class _Slice:
    name: str
    start_ns: int
    end_ns: int
    args: Event


def _round_slice(record: RoundRecord) -> _Slice:
    args = {
        "distribution_s": record.distribution_s,
        "accuracy": record.accuracy,
        "loss": record.loss,
    }
    start_ns, end_ns = round(record.start_s * 1e9), round(record.end_s * 1e9)
    return _Slice(f"round {record.round}", start_ns, end_ns, args)


def _slices(transfers: Transfers) -> Iterator[_Slice]:
    columns = (
        transfers.kind,
        transfers.sender,
        transfers.receiver,
        transfers.round,
        transfers.sent_bits,
        transfers.status,
        np.rint(transfers.start_s * 1e9).astype(np.int64),
        np.rint(transfers.end_s * 1e9).astype(np.int64),
    )
    for kind, sender, receiver, number, bits, status, start_ns, end_ns in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        name = transfers.kinds[kind].name
        args = {
            "from": transfers.node_names[sender],
            "to": transfers.node_names[receiver],
            "round": number,
            "sent_bits": bits,
            "status": STATUSES[status],
        }
        cut = "" if status == DELIVERED else f" ({STATUSES[status]})"
        yield _Slice(name + cut, start_ns, end_ns, args)


def _track(name: str, slices: list[_Slice], tracks: Iterator[int]) -> Iterator[Event]:
    """The slices on as few lanes as keep them apart, each lane a thread of the trace."""
    slices.sort(key=lambda s: (s.start_ns, s.end_ns))
    tids: list[int] = []
    for part, lane in zip(slices, _lanes(slices), strict=True):
        if lane == len(tids):
            tids.append(next(tracks))
            label = name if lane == 0 else f"{name} ({lane + 1})"
            yield {"ph": "M", "tid": tids[lane], "name": "thread_name", "args": {"name": label}}
            order = {"sort_index": tids[lane]}
            yield {"ph": "M", "tid": tids[lane], "name": "thread_sort_index", "args": order}
        # A nanosecond short: readers that truncate must not see neighbours overlap.
        length_ns = max(0, part.end_ns - part.start_ns - 1)
        times = {"ts": part.start_ns / 1000, "dur": length_ns / 1000}
        yield {"ph": "X", "tid": tids[lane], "name": part.name, **times, "args": part.args}


def _lanes(slices: Sequence[_Slice]) -> Iterator[int]:
    """The lowest lane that is free for each slice, given in order of their starts."""
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    for part in slices:
        while busy and busy[0][0] <= part.start_ns:
            heapq.heappush(free, heapq.heappop(busy)[1])
        lane = heapq.heappop(free) if free else len(busy)
        heapq.heappush(busy, (max(part.end_ns, part.start_ns + 1), lane))
        yield lane


def _note(shown: Transfers, left_out: int, track: int) -> Event:
    """A mark where the drawing of transfers ends."""
    text = f"{left_out} more transfers are not drawn; transfers.parquet has them all"
    time_us = float(shown.start_s.max()) * 1e6
    return {"ph": "i", "s": "p", "tid": track, "ts": time_us, "name": text}
