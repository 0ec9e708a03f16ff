"""``netsim validate``."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from netsim.protocols import PROTOCOLS
from netsim.studies.validate import cases
from netsim.studies.validate.leakage import eris_cases
from netsim.studies.validate.leakage import rows as leakage
from netsim.studies.validate.networks import NETWORKS

ROOT = Path(__file__).parents[2]
COLUMNS = [
    *("protocol", "network", "barrier", "formula", "formula_s", "optimum_s"),
    *("max_min_s", "fifo_s", "optimal_s", "verdict", "reason"),
]
PAPER_COLUMNS = [
    *("source", "setting", "method", "quantity", "paper", "formula", "simulated"),
    *("verdict", "reason"),
]
LEAKAGE_COLUMNS = [
    *("source", "protocol", "setting", "coalition", "quantity", "bound", "observed", "most"),
    *("ratio", "verdict", "reason"),
]
VERDICTS = ("equal", "simulated above bound", "formula loose by ", "bound violated")
WITHOUT_TORCH = """
import sys
from netsim.cli import main
sys.argv = ["netsim", "validate", *sys.argv[1:]]
try:
    main()
finally:
    assert not {"torch", "sklearn", "matplotlib"} & set(sys.modules), "not needed"
"""


def alone(*arguments):
    """The command in a process of its own, in which torch must not be imported."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *arguments], capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def default():
    """Rows of the run without arguments."""
    done = alone("--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["rows"]


def test_default_rows(default):
    """All protocols and networks with both barriers, each column there, verdicts in words."""
    assert all(list(row) == COLUMNS for row in default)
    kinds = {each.Config.model_fields["kind"].default for each in PROTOCOLS}
    found = {(row["protocol"], row["network"], row["barrier"]) for row in default}
    assert {(k, n, b) for k in kinds for n in NETWORKS for b in ("phase", "round")} <= found
    assert all(row["verdict"].startswith(VERDICTS) and row["reason"] for row in default)


def test_default_bounds(default):
    """No simulation below the least possible; the best rates reach it with barriers."""
    for row in default:
        times = [row["max_min_s"], row["fifo_s"]]
        assert min(times) >= row["optimum_s"] * (1 - 1e-9), row
        if row["barrier"] == "phase":
            assert row["optimal_s"] == pytest.approx(row["optimum_s"], rel=1e-9), row
        else:
            assert row["optimal_s"] is None


def test_default_verdicts(default):
    """The errata show where they should."""
    rows = {(row["protocol"], row["network"], row["barrier"]): row for row in default}
    assert rows["fedavg", "all different", "phase"]["verdict"] == "equal"
    assert rows["eris", "equal", "phase"]["verdict"] == "bound violated"
    assert "erratum 2" in rows["eris", "equal", "phase"]["reason"]
    assert "erratum 9" in rows["eris (A=2)", "all different", "round"]["reason"]
    shatter = rows["shatter", "asymmetric 1:5", "phase"]
    assert shatter["verdict"] == "formula loose by 300 %"
    assert "erratum 7" in shatter["reason"]
    assert rows["fedavg", "inner bottleneck", "phase"]["verdict"] == "formula loose by 25.0 %"


def test_file(netsim, written):
    """A scenario's protocols on its network, as a table, CSV and JSON."""
    rows = json.loads(netsim("validate", written, "--json").stdout)["rows"]
    assert [row["protocol"] for row in rows] == ["fedavg"] * 2 + ["eris (A=4)"] * 2
    assert {row["network"] for row in rows} == {"tiny"}
    lines = list(csv.DictReader(io.StringIO(netsim("validate", written, "--csv").stdout)))
    assert {row["optimal_s"] for row in rows} == {None}  # there is latency
    assert [line["verdict"] for line in lines] == [row["verdict"] for row in rows]
    table = netsim("validate", written)
    assert table.exit_code == 0
    assert "4 cases" in table.stdout


def test_file_that_trains():
    """The size is that of the model, which is counted in a process of its own."""
    done = alone(str(ROOT / "scenarios" / "quickstart.yaml"), "--json")
    assert done.returncode == 0, done.stderr
    fedavg = json.loads(done.stdout)["rows"][0]
    assert fedavg["formula_s"] == pytest.approx(2 * 10 * 32 * 21386 / 20e6)


def test_papers():
    """Every figure as a row."""
    done = alone("papers", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert all(list(row) == PAPER_COLUMNS for row in rows)
    quantities = {"upload_MB", "download_MB", "total_MB", "time_s", "speedup"}
    assert {row["quantity"] for row in rows} == quantities
    known = ("reproduced", "reproduced only with ", "not reproduced: ")
    assert all(row["verdict"].startswith(known) for row in rows)


def test_papers_as_a_table(netsim):
    """The count under the table."""
    assert "308 figures" in netsim("validate", "papers").stdout


def test_leakage():
    """Bounds beside counts, each theorem, without torch."""
    done = alone("leakage", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["rows"]
    assert all(list(row) == LEAKAGE_COLUMNS for row in told)
    quantities = {"coordinates/round", "P(whole model)", "nats/round", "nats/run"}
    assert {row["quantity"] for row in told} == quantities
    assert {row["protocol"] for row in told} >= {"eris", "shatter", "cepam_gaussian"}
    for row in told:
        if row["bound"] is not None:
            assert row["ratio"] == pytest.approx(row["observed"] / row["bound"])


def test_leakage_beyond_a_proven_bound_is_an_error(netsim, monkeypatch):
    """A simulator whose aggregators get twice what they should; rows as a table and as CSV."""
    real = eris_cases.watch

    def leaky(config, place):
        run = real(config, place)
        return replace(run, observed=run.observed.counting(2 * run.observed.amounts))

    monkeypatch.setattr(eris_cases, "watch", leaky)
    monkeypatch.setattr(leakage, "shatter_rows", lambda: iter(()))
    done = netsim("validate", "leakage")
    assert done.exit_code == 1
    assert "2 PROVEN BOUNDS VIOLATED" in done.stdout
    lines = list(csv.DictReader(io.StringIO(netsim("validate", "leakage", "--csv").stdout)))
    broken = [line["protocol"] for line in lines if line["verdict"].startswith("bound violated")]
    assert broken == ["fedavg", "soteriafl"]


def test_a_violated_proof_is_an_error(netsim, written, monkeypatch):
    """Exit code 1, and the row is there."""
    real = cases.row_of
    monkeypatch.setattr(cases, "row_of", lambda *given: replace(real(*given), broken=True))
    done = netsim("validate", written)
    assert done.exit_code == 1
    assert "4 PROVEN BOUNDS VIOLATED" in done.stdout


def test_a_link_that_is_down(netsim, written):
    """A round that never ends is reported as a deadlock, exit code 3."""
    file = Path(written)
    file.write_text(file.read_text().replace("uplink: 1 MB/s", "uplink: 0 bit/s"))
    done = netsim("validate", written)
    assert done.exit_code == 3
    assert "fedavg never ends a round" in done.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.yaml"], "nowhere.yaml: no such file"),
        (["--csv", "--json"], "write --csv or --json, not both"),
    ],
)
def test_refused(netsim, arguments, says):
    """One line, exit code 2."""
    done = netsim("validate", *arguments)
    assert done.exit_code == 2
    assert done.output.strip() == says


def test_missing_data(netsim, here):
    """A task that cannot be set up says what is missing."""
    (here / "m.yaml").write_text(
        "name: m\nrounds: 1\ntask: {dataset: mnist, model: mlp, lr: 1.0}\n"
        "network: {nodes: 2, uplink: 1 MB/s, downlink: 1 MB/s}\nruns: [{kind: fedavg}]\n"
    )
    (here / "empty").mkdir()
    done = netsim("validate", "m.yaml", "--data", "empty")
    assert done.exit_code == 2
    assert "dataset mnist" in done.output
