"""``netsim sweep`` as its user sees it."""

import json

import pytest

RATES = """\
sweep:
  grid:
    network.uplink: [1 MB/s, 2 MB/s, 3 MB/s]
"""


@pytest.fixture
def sweep(here, written, netsim):
    """``netsim sweep s.yaml`` of the scenario with this sweep; results to out."""

    def go(text=RATES, *options):
        scenario = (here / written).read_text().split("sweep:")[0]
        (here / written).write_text(scenario + text)
        return netsim("sweep", written, "--out", "out", "--jobs", "1", *options)

    return go


def test_a_study_ends_with_a_line_and_a_folder(sweep, here, netsim):
    """Exit code 0; silence on standard error; the same again has nothing to do."""
    done = sweep()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "6 cells: 6 timed; results in out\n"
    assert {path.name for path in (here / "out").iterdir()} == {
        ".lock",
        "cells",
        "study.json",
        "study.parquet",
        "trainings",
    }
    assert sweep().stdout == "6 cells: 6 reused; results in out\n"
    cell = json.loads((here / "out" / "study.json").read_text())["cells"][0]["id"]
    assert not (here / "out" / "cells" / cell / "report.html").exists()
    drawn = netsim("report", f"out/cells/{cell}")
    assert drawn.stdout == f"report in out/cells/{cell}/report.html\n"
    assert (here / "out" / "cells" / cell / "report.html").exists()
    assert sweep().stdout == "6 cells: 6 reused; results in out\n"


@pytest.mark.parametrize("more", ["", "failures: {deadline: 1 h}\n"])
def test_cells_that_train_have_reports(sweep, here, netsim, more):
    """Those that share a training and those that have one each, with the strategy left open."""
    task = "task: {dataset: digits, model: mlp, lr: 0.1, samples_per_client: 8}"
    text = (here / "s.yaml").read_text().replace("volume: {parameters: 1000}", task)
    (here / "s.yaml").write_text(text + more)
    assert sweep().exit_code == 0
    for cell in (here / "out" / "cells").iterdir():
        before = (cell / "summary.json").read_text()
        assert netsim("report", str(cell)).exit_code == 0
        assert (cell / "report.html").exists()
        assert (cell / "summary.json").read_text() == before
    assert sweep().stdout == "6 cells: 6 reused; results in out\n"


def test_what_failed_is_listed_with_the_reason(sweep):
    """Exit code 1; the others are whole."""
    done = sweep(RATES.replace("1 MB/s", "0 bit/s"))
    assert done.exit_code == 1
    assert done.stdout == "6 cells: 4 timed, 2 failed; results in out\n"
    (line,) = done.stderr.splitlines()
    assert line.startswith("deadlock; in cells ")
    assert line.count(", network.uplink = 0.0)") == 2


def test_ctrl_c_leaves_a_study_that_goes_on(sweep, monkeypatch):
    """Exit code 130, and how much is done."""

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("netsim.studies.sweep.conduct.Conductor.run", interrupted)
        done = sweep()
    assert (done.exit_code, done.stderr) == (130, "interrupted with 0 of 6 cells done\n")
    assert sweep().stdout == "6 cells: 6 timed; results in out\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            RATES.replace("2 MB/s", "2"),
            "s.yaml:10:30: network.uplink: '2' has no unit; write '2 Mbit/s' or '2 MB/s'",
        ),
        (
            RATES.replace("uplink", "uplnk"),
            "s.yaml:10:5: network.uplnk: unknown key 'uplnk'; did you mean 'uplink'?",
        ),
        ("", "s.yaml:1:1: no sweep; write 'netsim run s.yaml'"),
    ],
)
def test_a_bad_study_is_refused_before_anything_runs(sweep, here, text, line):
    """Exit code 2 and nothing left behind."""
    done = sweep(text)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", line + "\n")
    assert [path.name for path in here.iterdir()] == ["s.yaml"]


def test_run_says_what_runs_a_study(sweep, netsim):
    """Exit code 2."""
    sweep(RATES.replace("uplink", "uplnk"))
    done = netsim("run", "s.yaml")
    assert done.exit_code == 2
    assert done.stderr.endswith("sweep: a study, not one scenario; write 'netsim sweep s.yaml'\n")


@pytest.mark.parametrize(
    ("where", "line"), [("there", "--on there: write dask or dask://HOST:PORT")]
)
def test_a_place_that_is_none_is_refused(sweep, here, where, line):
    """Exit code 2 and nothing left behind."""
    done = sweep(RATES, "--on", where)
    assert (done.exit_code, done.stderr) == (2, line + "\n")
    assert [path.name for path in here.iterdir()] == ["s.yaml"]


def test_without_dask_it_says_how_to_get_it(sweep, monkeypatch):
    """Exit code 2."""
    monkeypatch.setattr("netsim.studies.sweep.cluster.find_spec", lambda _: None)
    done = sweep(RATES, "--on", "dask")
    assert (done.exit_code, done.stderr) == (
        2,
        "Dask is not installed; write: pip install distributed\n",
    )


def test_a_folder_that_is_no_cell_has_no_report(netsim, here):
    """Exit code 2."""
    done = netsim("report", ".")
    assert done.exit_code == 2
    assert done.stderr == f"{here} is no cell of a study; write STUDY/cells/ID\n"
