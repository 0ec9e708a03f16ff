"""The scripts that put the papers' accuracies beside netsim's, from folders made by hand."""

import csv
import importlib
import json
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

from netsim.studies.sweep.plan import read_study

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = sorted((ROOT / "scenarios" / "papers").glob("*.yaml"))
BY_SIZE = ("eris_mnist", "eris_cifar10")


@pytest.fixture
def script(monkeypatch):
    """A script by its name; analysis is beside the package, not in it."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: importlib.import_module(f"analysis.papers.{name}")


@pytest.fixture
def folder(tmp_path):
    """Makes the folder of a study whose trainings get as far as ``accuracy(label, seed, values)``.

    Three tests a training, after rounds 1, 2 and 3; the validation loss is least in the second,
    whose accuracy is the greatest, and the last one's is 0.1 less.
    """

    def make(name, accuracy):
        cells = []
        for number, cell in enumerate(read_study(ROOT / f"scenarios/papers/{name}.yaml").cells):
            known = {"label": cell.label, "seed": cell.scenario.seed, "values": dict(cell.values)}
            cells.append({"id": f"{number}"} | known)
            best = accuracy(**known)
            place = tmp_path / "cells" / f"{number}"
            place.mkdir(parents=True)
            tests = f"(2, {best - 0.1}, 8e-1), (0, {best - 0.2}, 9e-1), (1, {best}, 7e-1)"
            named = f"(VALUES {tests}) t(round, accuracy, validation_loss)"
            rounds = f"SELECT round, accuracy::DOUBLE AS accuracy, validation_loss FROM {named}"
            duckdb.execute(f"COPY ({rounds}) TO '{place / 'rounds.parquet'}' (FORMAT parquet)")
        (tmp_path / "study.json").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        return tmp_path

    return make


@pytest.fixture
def table(script, monkeypatch):
    """A script's beside.csv of trainings that are there: its rows by setting and method.

    ``owner``: the module that runs the study, if not the script.
    """

    def make(name, folder, owner=None):
        module = script(name)
        read = script("trained").read
        monkeypatch.setattr(owner or module, "run", lambda study, out, jobs: read(out))
        monkeypatch.setattr("sys.argv", [name, "--out", str(folder)])
        module.main()
        with (folder / "beside.csv").open(encoding="utf-8") as file:
            return {(row["setting"], row["method"]): row for row in csv.DictReader(file)}

    return make


def kind(value):
    """The kind of a swept section, which is kept as JSON."""
    return json.loads(value)["kind"]


def number(row, column):
    """A figure of the table, to a thousandth."""
    return pytest.approx(float(row[column]), abs=1e-3)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda path: path.stem)
def test_every_study_is_read_and_has_a_script(file, script):
    """Three seeds of every setting."""
    cells = read_study(file).cells
    assert {cell.scenario.seed for cell in cells} == {1, 2, 3}
    assert script(file.stem).main.__module__ == f"analysis.papers.{file.stem}"


@pytest.mark.parametrize("name", BY_SIZE)
def test_as_many_figures_as_sizes_and_every_run(name, script):
    """The methods of the table are the labels of the runs; and ERIS, which is FedAvg to the bit."""
    module = script(name)
    assert all(len(figures) == len(module.SIZES) for figures in module.PAPER.values())
    labels = {cell.label for cell in read_study(ROOT / f"scenarios/papers/{name}.yaml").cells}
    assert labels | {"ERIS"} == set(module.PAPER) | {"ERIS"}


@pytest.mark.parametrize("name", BY_SIZE)
def test_by_size(folder, script, table, name):
    """Each method at each size, where FedAvg's validation loss is least."""
    size = "task.samples_per_client"
    made = folder(name, lambda seed, values, **_: 0.5 + values[size] / 1000 + seed / 100)
    rows, module = table(name, made), script(name)
    assert len(rows) == len(module.PAPER) * len(module.SIZES)
    row = rows["64 samples", "Shatter"]
    assert number(row, "mean") == 50 + 6.4 + 2
    assert number(row, "paper") == module.PAPER["Shatter"][module.SIZES.index(64)]


def test_cepam(folder, table):
    """The last test counts; both tables' figures stand beside those of their model."""
    found = {"cepam_mlp": 0.8, "cepam_cnn": 0.9}
    model = "task.model"
    made = folder("cepam", lambda seed, values, **_: found[kind(values[model])] + 0.01 * seed)
    rows = table("cepam", made)
    assert len(rows) == 2 * (7 + 5)
    row = rows["Table I, CNN", "CEPAM-Gaussian (n = 3)"]
    assert number(row, "paper") == 91.94
    assert number(row, "mean") == 90 + 2 - 10
    assert number(row, "spread") == 1
    assert number(rows["Table II, MLP", "FL"], "gap") == 80 + 2 - 10 - 83.02


def test_dropouts(folder, table):
    """The greatest accuracy counts, and there is a picture."""
    rate = "failures.nodes.rate"
    made = folder("shatter_dropouts", lambda values, **_: 0.9 - 0.1 * values[rate])
    rows = table("shatter_dropouts", made)
    assert len(rows) == 2 * 5
    assert number(rows["75% dropouts", "Shatter"], "mean") == 82.5
    assert rows["75% dropouts", "Shatter"]["paper"] == ""
    assert (made / "shatter_dropouts.png").read_bytes().startswith(b"\x89PNG")


def test_compression(folder, table):
    """The accuracy counts where FedAvg's validation loss is least, and there is a picture."""
    made = folder("eris_compression", lambda label, **_: 0.9 - float(label) / 1e4)
    rows = table("eris_compression", made)
    assert len(rows) == 2 * 5
    assert number(rows["64 samples", "ω = 3000"], "mean") == 60
    assert number(rows["16 samples", "ω = 0"], "mean") == 90
    assert (made / "eris_compression.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("name", "paper"), [("eris_noniid", 85.1), ("eris_biased", 90.16)])
def test_means_over_sizes(folder, script, table, name, paper):
    """One mean a seed over six sizes, then over the seeds."""
    size = "task.samples_per_client"
    made = folder(name, lambda seed, values, **_: 0.5 + values[size] / 1000 + seed / 100)
    rows = table(name, made, owner=script("means"))
    assert len(rows) == 2 * (1 + 6)
    row = rows["mean", "ERIS (ω = 30)"]
    assert number(row, "mean") == 50 + 4.2 + 2
    assert number(row, "spread") == 1
    assert number(row, "gap") == 56.2 - paper
    assert number(rows["8 samples", "FedAvg"], "mean") == 50 + 0.8 + 2


def test_what_diverged_counts_as_far_as_it_came(folder, script, monkeypatch, capsys):
    """Told of, and there; but a cell without a result is missed."""
    trained = script("trained")
    made = folder("shatter_dropouts", lambda **_: 0.9)
    ending = SimpleNamespace(failures=lambda: {"the model diverged in round 3": ["7"]})
    monkeypatch.setattr(trained, "run_study", lambda *_: ending)
    assert len(trained.run("shatter_dropouts", made, 1)) == 2 * 5 * 3
    assert capsys.readouterr().err == "shatter_dropouts: the model diverged in round 3\n"
    (made / "cells" / "7" / "rounds.parquet").unlink()
    with pytest.raises(SystemExit, match="29 of 30 cells"):
        trained.run("shatter_dropouts", made, 1)
