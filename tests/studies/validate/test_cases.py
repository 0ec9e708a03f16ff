"""The cases that are compared, and how rows are written and shown."""

import csv
import io
import json

import pytest

from netsim.protocols import PROTOCOLS
from netsim.scenario.document import Document
from netsim.studies.scenario import Scenario, problems
from netsim.studies.validate.cases import default_cases, left_out, scenario_cases
from netsim.studies.validate.networks import NETWORKS
from netsim.studies.validate.rows import Row
from netsim.studies.validate.table import rows_text
from netsim.studies.validate.written import as_csv, as_json

FILE = """
name: mine
rounds: 5
seed: 3
volume: {parameters: 1000}
compute: {kind: per_round, time: 3 s}
failures: {aggregators: 0.3}
participation: 3
network:
  nodes: 4
  uplink: 1 Mbit/s
  downlink: 2 Mbit/s
  traces: [{file: TRACE}]
runs: [{kind: fedavg}, {kind: eris, aggregators: 2}, {kind: eris, label: mine}]
"""
FEW = """
name: few
rounds: 1
volume: {parameters: 1000}
network: {nodes: 4, uplink: 1 Mbit/s, downlink: 2 Mbit/s}
runs: [fedavg]
"""
ROW = Row("p", "n", "phase", "eq53", 2.0, 1.0, 1.5, 1.6, 1.0, "bound violated", "why", False)
LESS = Row("p", "n", "round", None, None, 1.0, 1.0, None, None, "equal", "no form", False)


def test_every_protocol_on_every_network():
    """With and without barriers; nothing twice."""
    cases = list(default_cases())
    kinds = {each.Config.model_fields["kind"].default for each in PROTOCOLS}
    wanted = {(k, n, b) for k in kinds for n in NETWORKS for b in ("phase", "round")}
    found = [(case.protocol, case.network, case.barrier) for case in cases]
    assert wanted <= set(found)
    assert len(set(found)) == len(found)


def test_networks_are_sound():
    """No problem but that drawn sizes stand for values."""
    for case in default_cases():
        found = problems(case.setting.scenario(case.barrier, "max_min"))
        assert all("depend on values" in text for _, text in found)


def test_cases_of_a_scenario(tmp_path):
    """Its runs by their labels on its network, without computing; what is left out is said."""
    trace = tmp_path / "trace.csv"
    trace.write_text("time_s,rate\n0,1000\n5,2000\n")
    text = FILE.replace("TRACE", str(trace))
    scenario = Document.of(text, "s.yaml").parse(Scenario, problems)
    cases = list(scenario_cases(scenario, 77))
    assert [case.protocol for case in cases[::2]] == ["fedavg", "eris (A=2)", "mine"]
    assert {case.network for case in cases} == {"mine"}
    assert {case.setting.parameters for case in cases} == {77}
    assert {case.setting.seed for case in cases} == {3}
    played = cases[0].setting.scenario("phase", "fifo")
    assert played.compute.kind == "none"
    assert (played.network.sharing, played.network.count) == ("fifo", "payload")
    assert played.network.traces == ()
    told = [note.split(":")[0] for note in left_out(scenario)]
    assert told == ["network.traces", "failures", "compute", "participation"]
    whole = Document.of(FEW, "s.yaml").parse(Scenario, problems)
    assert list(left_out(whole)) == []


def test_json():
    """The published columns and no other."""
    rows = json.loads(as_json([ROW, LESS]))["rows"]
    assert rows[0] == {
        "protocol": "p",
        "network": "n",
        "barrier": "phase",
        "formula": "eq53",
        "formula_s": 2.0,
        "optimum_s": 1.0,
        "max_min_s": 1.5,
        "fifo_s": 1.6,
        "optimal_s": 1.0,
        "verdict": "bound violated",
        "reason": "why",
    }
    assert rows[1]["formula"] is None
    assert rows[1]["optimal_s"] is None


def test_csv():
    """The same columns; nothing where there is no figure."""
    rows = list(csv.DictReader(io.StringIO(as_csv([ROW, LESS]))))
    assert list(rows[0]) == list(ROW.published())
    assert (rows[1]["formula_s"], rows[1]["max_min_s"]) == ("", "1.0")


def test_table():
    """One line a row, ratios to the optimum, each reason once below, and a count."""
    text = rows_text([ROW, LESS, ROW])
    lines = [line.split() for line in text.splitlines() if " p " in line]
    assert len(lines) == 3
    assert {"1.500×", "2.000×", "violated", "[1]"} <= set(lines[0])
    assert lines[1][-1] == "[2]"
    assert text.count("why") == 1
    assert "3 cases: 1 equal, 2 bound violated; all proven bounds hold" in text


def test_broken_bounds_are_loud():
    """A violated proof is counted in the last line."""
    broken = Row(**{**vars(ROW), "broken": True})
    assert "1 PROVEN BOUNDS VIOLATED" in rows_text([broken, LESS])


@pytest.mark.parametrize("coloured", [False, True])
def test_colours(coloured):
    """Escapes in a terminal only."""
    assert ("\x1b[" in rows_text([ROW], 120, coloured)) == coloured
