"""``trace.json`` is a trace that viewers accept: named tracks, no overlapping slices."""

import json
from collections import defaultdict

import numpy as np
import pytest

from netsim.results.trace import write_trace


@pytest.fixture
def traced(tmp_path):
    """Writes a trace and reads it back."""

    def write(runs, **limits):
        write_trace(tmp_path / "trace.json", runs, **limits)
        return json.loads((tmp_path / "trace.json").read_text())

    return write


def _slices(trace, name):
    """Slices of the tracks called ``name``, by process and lane."""
    lanes = {
        (e["pid"], e["tid"])
        for e in trace["traceEvents"]
        if e["name"] == "thread_name" and e["args"]["name"].split(" (")[0] == name
    }
    by_lane = defaultdict(list)
    for e in trace["traceEvents"]:
        if e["ph"] == "X" and (e["pid"], e["tid"]) in lanes:
            by_lane[e["pid"], e["tid"]].append(e)
    return by_lane


def test_a_process_a_run_and_a_track_a_link(traced, make_run, volume_run):
    """Each run has its rounds and one track (in lanes) for each node's uplink."""
    trace = traced([make_run(), volume_run])
    names = {
        e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"
    }
    assert names == {1: "eris (A=4)", 2: "volume"}
    rounds = [[e["name"] for e in lane] for lane in _slices(trace, "rounds").values()]
    assert rounds == [["round 0", "round 1", "round 2"]] * 2
    for node in range(4):
        lanes = _slices(trace, f"node {node} uplink")
        assert sum(map(len, lanes.values())) == 2 * 18
        assert len(lanes) == 2 * 3


def test_slices_of_a_track_never_overlap(traced, make_run, table):
    """Neither as written nor when a reader cuts times to whole nanoseconds."""
    times = np.arange(500) * 0.0123456789
    in_a_row = table(round=[0] * 499, start_s=times[:-1], end_s=times[1:])
    trace = traced([make_run(pace=1e5 / 3), make_run("row", rounds=0, transfers=in_a_row)])
    by_lane = defaultdict(list)
    for e in trace["traceEvents"]:
        if e["ph"] == "X":
            by_lane[e["tid"]].append((int(e["ts"] * 1000), int(e["dur"] * 1000)))
    assert sorted(map(len, by_lane.values()))[-1] == 499
    for slices in by_lane.values():
        ends = [start + length for start, length in slices]
        assert all(start >= end for (start, _), end in zip(slices[1:], ends, strict=False))


def test_times_are_microseconds_and_arguments_tell_the_transfer(traced, make_run):
    """The aborted shard from node 0 to node 1 in round 1, which lasts 0.38 s."""
    trace = traced([make_run()])
    (cut,) = [e for e in trace["traceEvents"] if e["name"] == "shard (aborted)"]
    assert cut["ts"] == 1e6
    assert cut["dur"] == pytest.approx(0.38e6, abs=0.002)
    assert cut["args"] == {
        "from": "node 0",
        "to": "node 1",
        "round": 1,
        "sent_bits": 4_000_000,
        "status": "aborted",
    }


def test_lanes_are_used_again(traced, make_run, table):
    """Three transfers one after the other need one lane, a fourth beside them a second."""
    starts, ends = [0.0, 1.0, 2.0, 0.5], [1.0, 2.0, 3.0, 2.5]
    trace = traced([make_run(transfers=table(round=[0] * 4, start_s=starts, end_s=ends))])
    assert [len(lane) for lane in _slices(trace, "node 0 uplink").values()] == [3, 1]


def test_a_long_run_is_cut_with_a_note(traced, make_run):
    """Its first transfers are drawn, and the file says how many and up to which round."""
    trace = traced([make_run(), make_run("other", rounds=1)], max_transfers=60)
    assert trace["otherData"]["runs"] == [
        {"run": "eris (A=4)", "transfers": 72, "transfers_shown": 30, "last_round_shown": 1},
        {"run": "other", "transfers": 24, "transfers_shown": 24, "last_round_shown": 0},
    ]
    (note,) = [e for e in trace["traceEvents"] if e["ph"] == "i"]
    assert note["name"].startswith("42 more transfers are not drawn")
    assert note["pid"] == 1
    assert sum(e["ph"] == "X" for e in trace["traceEvents"]) == 30 + 3 + 24 + 1


def test_nothing_to_draw(traced, make_run, table):
    """A run that failed at once leaves a valid trace."""
    trace = traced([make_run(rounds=0, transfers=table(round=[]))])
    assert [e["ph"] for e in trace["traceEvents"]] == ["M"]
