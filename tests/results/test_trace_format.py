"""``trace.json`` keeps the rules of its format, whatever the run; and the rules catch faults.

The rules are those of Chrome's trace event format that its readers enforce. Source: Trace Event
Format, the document of the Chrome project (phases X, M, i, b, n, e).
"""

import copy
import json
import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from netsim.results.progress import run_progress
from netsim.results.records import STATUSES
from netsim.results.trace import write_trace
from netsim.studies.run import run_protocol, task_factory
from netsim.studies.scenario import Scenario

Event = dict[str, Any]
Lane = tuple[int, int]

RUNS = [
    {"kind": "fedavg"},
    {"kind": "eris", "aggregators": 3},
    {"kind": "shatter", "virtual_nodes": 2, "degree": 2},
    {"kind": "dpsgd"},
]
FAILURES = {
    "links": {"kind": "outages", "mtbf": "60 ms", "mttr": "10 ms"},
    "retries": {"times": 2, "backoff": "3 ms"},
    "nodes": {"kind": "per_round", "rate": 0.2},
    "deadline": "60 ms",
}
SETTINGS = {
    "plain": {},
    "free": {"barrier": "none", "compute": {"kind": "per_round", "time": "4 ms"}},
    "failing": {"failures": FAILURES},
    "tcp": {"network": {"transport": "tcp"}},
    "dead": {"network": {"overrides": {"2": {"uplink": "0 bit/s"}}}},
}


PHASES = {"X", "M", "i", "b", "n", "e"}
METADATA = {
    "process_name": "name",
    "process_labels": "labels",
    "process_sort_index": "sort_index",
    "thread_name": "name",
    "thread_sort_index": "sort_index",
}


def broken_rules(trace: Any) -> list[str]:
    """What is wrong with a trace, a line each; nothing if readers take all of it."""
    if not isinstance(trace, dict) or not isinstance(trace.get("traceEvents"), list):
        return ["no list traceEvents"]
    if trace.get("displayTimeUnit", "ms") not in {"ms", "ns"}:
        return ["displayTimeUnit is neither ms nor ns"]
    events: list[Event] = trace["traceEvents"]
    found = [text for number, event in enumerate(events) for text in _event(number, event)]
    return found or [*_lanes(events), *_async(events), *_names(events)]


def _event(number: int, event: Event) -> Iterator[str]:
    """One event by itself."""
    phase = event.get("ph")
    where = f"event {number} ({phase})"
    if phase not in PHASES:
        yield f"{where}: unknown phase"
    if not isinstance(event.get("name"), str) or not event["name"]:
        yield f"{where}: no name"
    if not _whole(event.get("pid")):
        yield f"{where}: no pid"
    if not _whole(event.get("tid")) and not str(event.get("name")).startswith("process_"):
        yield f"{where}: no tid"
    if not isinstance(event.get("args", {}), dict):
        yield f"{where}: args are no object"
    if phase == "M":
        yield from _metadata(where, event)
    elif not _time(event.get("ts")):
        yield f"{where}: ts is no time"
    if phase == "X" and not _time(event.get("dur")):
        yield f"{where}: dur is no time"
    if phase == "i" and event.get("s", "t") not in {"g", "p", "t"}:
        yield f"{where}: unknown scope"
    if phase in {"b", "n", "e"} and ("id" not in event or not event.get("cat")):
        yield f"{where}: no id or no cat"


def _metadata(where: str, event: Event) -> Iterator[str]:
    field = METADATA.get(str(event.get("name")))
    if field is None or field not in event.get("args", {}):
        yield f"{where}: metadata that says nothing"


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _time(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and value >= 0


def _lanes(events: list[Event]) -> Iterator[str]:
    """Slices of a lane must not overlap, neither as they are nor cut to whole nanoseconds."""
    lanes: dict[Lane, list[tuple[int, int]]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            start, length = int(event["ts"] * 1000), int(event["dur"] * 1000)
            lanes[event["pid"], event["tid"]].append((start, start + length))
    for lane, slices in lanes.items():
        slices.sort()
        for (_, end), (start, _) in pairwise(slices):
            if start < end:
                yield f"lane {lane}: a slice at {start} ns begins before the last ends at {end} ns"


def _async(events: list[Event]) -> Iterator[str]:
    """Each begin has one end with its process, category, id and name, not before it."""
    begun: dict[tuple[Any, ...], list[float]] = defaultdict(list)
    for event in sorted((e for e in events if e["ph"] in {"b", "e"}), key=_order):
        key = event["pid"], event["cat"], event["id"], event["name"]
        if event["ph"] == "b":
            begun[key].append(event["ts"])
        elif not begun[key]:
            yield f"async {key}: an end without a begin"
        else:
            begun[key].pop()
    yield from (f"async {key}: a begin without an end" for key, left in begun.items() if left)


def _order(event: Event) -> tuple[float, bool]:
    return event["ts"], event["ph"] == "e"


def _names(events: list[Event]) -> Iterator[str]:
    """Processes and lanes with slices are named, each once."""
    names: dict[str, list[Any]] = defaultdict(list)
    for event in events:
        if event["ph"] == "M":
            of = event["pid"] if event["name"].startswith("process_") else _lane(event)
            names[event["name"]].append(of)
    for name, named in names.items():
        if len(named) != len(set(named)):
            yield f"{name}: given twice"
    slices = [event for event in events if event["ph"] == "X"]
    for lane in sorted({_lane(event) for event in slices} - set(names["thread_name"])):
        yield f"lane {lane}: no name"
    for pid in sorted({event["pid"] for event in slices} - set(names["process_name"])):
        yield f"process {pid}: no name"


def _lane(event: Event) -> Lane:
    return event["pid"], event["tid"]


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    """The results of real runs and the trace they leave, by the name of their settings."""
    folder, made = tmp_path_factory.mktemp("traces"), {}

    def trace(name):
        if name not in made:
            runs = list(_played(SETTINGS[name]))
            write_trace(folder / f"{name}.json", runs)
            made[name] = runs, json.loads((folder / f"{name}.json").read_text())
        return made[name]

    return trace


def _played(settings):
    network = {"nodes": 5, "uplink": "10 Mbit/s", "downlink": "10 Mbit/s", "latency": "3 ms"}
    document = {
        "name": "traced",
        "rounds": 3,
        "volume": {"parameters": 5000},
        "runs": RUNS,
        **settings,
        "network": network | settings.get("network", {}),
    }
    scenario = Scenario.model_validate(document)
    make = task_factory(scenario, None)
    with run_progress() as progress:
        for config, label in zip(scenario.runs, scenario.labels(), strict=True):
            yield run_protocol(scenario, config, label, make(), progress).result


@pytest.mark.parametrize("name", SETTINGS)
def test_real_runs_keep_every_rule(traced, name):
    """And the trace has a slice for each transfer on links and for each round."""
    runs, trace = traced(name)
    assert broken_rules(trace) == []
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    expected = sum(int(run.transfers.on_link.sum()) + len(run.rounds) for run in runs)
    assert len(slices) == expected > 0
    cut = [e for e in slices if e["args"].get("status", "delivered") != "delivered"]
    assert bool(cut) == (name in {"failing", "dead"})
    assert {e["args"]["status"] for e in slices if "status" in e["args"]} <= set(STATUSES)


def test_slices_lie_where_the_transfers_were(traced):
    """Each starts when its transfer does, to the nanosecond, and is a nanosecond short."""
    runs, trace = traced("failing")
    for pid, run in enumerate(runs, 1):
        on_link = run.transfers.select(run.transfers.on_link)
        times_s = zip(on_link.start_s.tolist(), on_link.end_s.tolist(), strict=True)
        expected = sorted(
            (round(a * 1e9), max(0, round(b * 1e9) - round(a * 1e9) - 1)) for a, b in times_s
        )
        found = sorted(
            (round(e["ts"] * 1000), round(e["dur"] * 1000))
            for e in trace["traceEvents"]
            if e["ph"] == "X" and e["pid"] == pid and "status" in e["args"]
        )
        assert found == expected


def _first(trace, phase):
    return next(event for event in trace["traceEvents"] if event["ph"] == phase)


def _pair(trace):
    """An asynchronous span from 1 to 2 ms, as the format wants it."""
    both = {"name": "round", "cat": "rounds", "id": "0x1", "pid": 1, "tid": 1}
    pair = [both | {"ph": "b", "ts": 1000.0}, both | {"ph": "e", "ts": 2000.0}]
    trace["traceEvents"] += pair
    return pair


FAULTS = {
    "events are no list": lambda trace: trace.update(traceEvents={}),
    "unit": lambda trace: trace.update(displayTimeUnit="s"),
    "phase": lambda trace: _first(trace, "X").update(ph="Y"),
    "no name": lambda trace: _first(trace, "X").pop("name"),
    "pid": lambda trace: _first(trace, "X").update(pid="one"),
    "no tid": lambda trace: _first(trace, "X").pop("tid"),
    "negative time": lambda trace: _first(trace, "X").update(ts=-1.0),
    "time is no number": lambda trace: _first(trace, "X").update(ts=float("nan")),
    "no length": lambda trace: _first(trace, "X").pop("dur"),
    "negative length": lambda trace: _first(trace, "X").update(dur=-0.001),
    "overlap": lambda trace: _first(trace, "X").update(dur=1e9),
    "metadata without a value": lambda trace: _first(trace, "M").update(args={}),
    "metadata of no kind": lambda trace: _first(trace, "M").update(name="process_colour"),
    "a name twice": lambda trace: trace["traceEvents"].append(dict(_first(trace, "M"))),
    "a lane without a name": lambda trace: _first(trace, "X").update(tid=10**6),
    "a process without a name": lambda trace: trace["traceEvents"].remove(_first(trace, "M")),
    "scope": lambda trace: trace["traceEvents"].append(_first(trace, "X") | {"ph": "i", "s": "x"}),
    "no id": lambda trace: _pair(trace)[0].pop("id"),
    "no category": lambda trace: _pair(trace)[1].pop("cat"),
    "end without begin": lambda trace: _pair(trace)[0].update(id="0x2"),
    "end before begin": lambda trace: _pair(trace)[1].update(ts=500.0),
    "begin without end": lambda trace: trace["traceEvents"].remove(_pair(trace)[1]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_rule_is_checked(traced, fault):
    """A trace with one fault is found out; without it, and with a sound pair, it is not."""
    trace = copy.deepcopy(traced("plain")[1])
    FAULTS[fault](trace)
    assert broken_rules(trace) != []


def test_a_pair_is_no_fault(traced):
    """Spans that may overlap others: a begin and an end of one id."""
    trace = copy.deepcopy(traced("plain")[1])
    _pair(trace)
    assert broken_rules(trace) == []
