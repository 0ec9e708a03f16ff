"""A study from its file to its tables."""

import json
import shutil
from collections import Counter

import pytest

from netsim.results.errors import ResultsError
from netsim.studies.replay.training import train
from netsim.studies.run import task_factory
from netsim.studies.sweep import store
from netsim.studies.sweep.conduct import StudyHalted
from netsim.studies.sweep.workers import WorkersError

FIGURES = (
    "id, digest, model_digest, simulated_time_s, distribution_time_s, final_accuracy, seen_share"
)


def test_one_training_a_protocol_and_seed(planned, run, inline, whole, tmp_path, table):
    """The rest is timed, and the folder is that of any other run of the study."""
    ending = run(planned(), tmp_path / "out")
    assert ending.counts() == {"trained": 4, "timed": 8}
    assert [len(job.cells) for job in inline.jobs] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert table(tmp_path / "out") == table(whole)
    assert not ending.failures()


def test_timed_cells_are_as_if_trained(planned, whole, table):
    """Digests, times, accuracy and the share seen of a cell are those of a full run of its own."""
    rows = {row[0]: row[1:] for row in table(whole, FIGURES)}
    for cell in planned().cells:
        make = task_factory(cell.scenario, None)
        full = train(cell.scenario, cell.run, cell.label, make, lambda _: None)[0].result
        spent = [each.distribution_s for each in full.rounds]
        assert rows[cell.id] == (
            full.digest,
            full.model_digest,
            full.rounds[-1].end_s,
            sum(spent) / len(spent),
            full.rounds[-1].accuracy,
            sum(each.seen_share for each in full.rounds) / len(full.rounds),
        )


def test_the_table_is_tidy(whole, table):
    """A column for each swept field, figure and target; what was never reached is NULL."""
    rows = table(whole, '"network.uplink", seed, protocol, "time_to_0.20_s", "time_to_0.99_s"')
    assert [row[:3] for row in rows[:4]] == [
        (2.4e6, 1, "fedavg"),
        (2.4e6, 1, "eris"),
        (2.4e6, 2, "fedavg"),
        (2.4e6, 2, "eris"),
    ]
    assert all(row[4] is None for row in rows)
    assert any(row[3] is not None for row in rows)
    assert Counter(row[0] for row in table(whole, "status")) == {"trained": 4, "timed": 8}


def test_hyperparameters_can_be_chosen_by_validation(planned, run, tmp_path, table):
    """The best round of each cell, its validation loss, and accuracy in it, as in the cell."""
    out = tmp_path / "out"
    run(planned(("lr: 0.1", "lr: 0.1, holdout: 0.3")), out)
    columns = "id, best_round, best_round_validation_loss, best_round_metric"
    rows = table(out, columns)
    assert len(rows) == 12
    for cell, *found in rows:
        summary = json.loads((out / "cells" / cell / "summary.json").read_text())
        best = summary["runs"][0]["best_round"]
        assert found == [best["round"], best["validation_loss"], best["accuracy"]]


def test_the_plan_says_what_every_cell_is(whole, table):
    """study.json: the same cells in the same order, with their swept values."""
    plan = json.loads((whole / "study.json").read_text())
    assert (plan["name"], plan["paths"]) == ("small", ["network.uplink", "seed"])
    assert [each["id"] for each in plan["cells"]] == [row[0] for row in table(whole)]
    assert plan["cells"][0]["values"] == {"network.uplink": 2.4e6, "seed": 1}


def test_again_there_is_nothing_to_do(planned, run, inline, whole, tmp_path, table):
    """All is reused; the table is the same but for that."""
    shutil.copytree(whole, tmp_path / "out")
    ending = run(planned(), tmp_path / "out")
    assert ending.counts() == {"reused": 12}
    assert inline.jobs == []
    assert table(tmp_path / "out") == table(whole)


def test_an_extended_study_runs_what_is_new(planned, run, inline, whole, tmp_path):
    """Another protocol trains; another rate is timed without any training."""
    shutil.copytree(whole, tmp_path / "out")
    more = ("  - {kind: fedavg}\n", "  - {kind: fedavg}\n  - {kind: fednova}\n")
    ending = run(planned(more), tmp_path / "out")
    assert ending.counts() == {"reused": 12, "trained": 2, "timed": 4}
    assert {cell.run.kind for job in inline.jobs for cell in job.cells} == {"fednova"}
    ending = run(planned(("5 MB/s]", "5 MB/s, 9 MB/s]")), tmp_path / "out")
    assert ending.counts() == {"reused": 12, "timed": 4}


def test_what_is_missing_or_damaged_is_run_again(planned, run, whole, tmp_path, table):
    """A cell that is gone is timed; without its record the first that is gone trains."""
    out = shutil.copytree(whole, tmp_path / "out")
    first, second, *_ = [each for each in planned().cells if each.run.kind == "fedavg"]
    shutil.rmtree(out / "cells" / first.id)
    assert run(planned(), out).counts() == {"reused": 11, "timed": 1}
    shutil.rmtree(out / "cells" / second.id)
    record = out / "trainings" / second.training
    record.write_bytes(record.read_bytes()[:-1])
    (out / "cells" / first.id / "summary.json").write_text("{")
    assert run(planned(), out).counts() == {"reused": 10, "timed": 1, "trained": 1}
    assert table(out) == table(whole)


def test_results_of_other_versions_are_not_used(planned, whole, monkeypatch):
    """Neither cells nor records."""
    cell, found = planned().cells[0], store.Store(whole)
    assert found.summary(cell) is not None
    assert found.load_record(cell.training) is not None
    monkeypatch.setattr(store, "versions", lambda: {"netsim": "9"})
    assert found.summary(cell) is None
    assert found.load_record(cell.training) is None


def test_shards_by_rate_train_for_themselves(planned, run, tmp_path):
    """They are other messages on other networks, which the record does not hold.

    Nor does what they train take its place: it has a record of its own.
    """
    runs = "aggregators: 3, compression: {kind: rand_k, keep: 0.3}"
    ending = run(
        planned(
            (runs, "aggregators: 3, shards: proportional"),
            ("nodes: 4,", "nodes: 4, overrides: {1: {uplink: 1 MB/s}},"),
            ("seed: [1, 2]", "seed: [1]"),
        ),
        tmp_path / "out",
    )
    assert ending.counts() == {"trained": 4, "timed": 2}
    ids, keys = zip(*((cell.id, cell.training) for cell in ending.study.cells), strict=True)
    records = {path.name for path in (tmp_path / "out" / "trainings").iterdir()}
    assert (len(records & {*keys}), len(records & {*ids})) == (2, 2)


def test_a_cell_that_fails_leaves_the_others_whole(planned, run, tmp_path, table):
    """A rate of zero ends in a deadlock, also where it would have led; the row says so."""
    ending = run(planned(("[300 kB/s, 1 MB/s, 5 MB/s]", "[0 bit/s, 1 MB/s]")), tmp_path / "out")
    assert ending.counts() == {"trained": 4, "failed": 4}
    ((reason, cells),) = ending.failures().items()
    assert (reason, len(cells)) == ("deadlock", 4)
    found = table(tmp_path / "out", '"network.uplink", status, failure, digest IS NULL')
    assert found == [(0.0, "failed", "deadlock", False)] * 4 + [(8e6, "trained", None, False)] * 4
    again = run(planned(("[300 kB/s, 1 MB/s, 5 MB/s]", "[0 bit/s, 1 MB/s]")), tmp_path / "out")
    assert again.counts() == {"reused": 4, "failed": 4}


def test_what_cannot_be_set_up_fails_with_the_reason(planned, run, tmp_path, table):
    """Without a result; the table has its row, and the reason its line and column."""
    ending = run(planned(("samples_per_client: 40", "samples_per_client: 4000")), tmp_path / "out")
    assert ending.counts() == {"failed": 12}
    ((reason, _),) = ending.failures().items()
    assert ":4:57: task.samples_per_client: 4 clients with 4000 samples each need" in reason
    assert table(tmp_path / "out", "digest, status")[0] == (None, "failed")


def test_a_swept_value_that_cannot_be_used_is_told_where_it_stands(planned, run, tmp_path):
    """In the sweep, and of what is good nothing is lost."""
    swept = "[1, 2]\n    task.samples_per_client: [40, 4000]"
    ending = run(planned(("[1, 2]", swept)), tmp_path / "out")
    assert ending.counts() == {"trained": 4, "timed": 8, "failed": 12}
    ((reason, _),) = ending.failures().items()
    line, column = reason.split(": ")[0].split(":")[-2:]
    text = (tmp_path / "study.yaml").read_text().splitlines()[int(line) - 1]
    assert text[int(column) - 1 :] == "4000]"


def test_an_error_of_ours_is_kept(planned, run, tmp_path, monkeypatch):
    """In a line with the cell, and whole in failures/ID.txt; the rest goes on."""

    def broken(cell, *_):
        if cell.run.kind == "fedavg":
            raise ZeroDivisionError("by nothing")
        return

    monkeypatch.setattr("netsim.studies.sweep.work._heard", broken)
    ending = run(planned(), tmp_path / "out")
    assert ending.counts() == {"failed": 6, "trained": 2, "timed": 4}
    ((reason, cells),) = ending.failures().items()
    assert reason == "ZeroDivisionError: by nothing"
    assert "Traceback" in (tmp_path / "out" / "failures" / f"{cells[0]}.txt").read_text()


def test_a_missing_dataset_halts_the_study(planned, run, tmp_path, monkeypatch):
    """With the line that says what to fetch, after the first cell that needs it."""
    monkeypatch.setenv("NETSIM_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(StudyHalted, match=r"study.yaml:4:17: dataset mnist is missing"):
        run(planned(("dataset: digits", "dataset: mnist")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_folder_is_left_where_nothing_was_computed(planned, run, inline, tmp_path, monkeypatch):
    """As the workers cannot be had; what a study has already stays."""
    out, old = tmp_path / "results" / "out", tmp_path / "old"
    run(planned(("rounds: 3", "rounds: 1")), old)
    before = sorted(old.rglob("*"))

    def nobody(workers):
        raise WorkersError("nobody answers")

    monkeypatch.setattr(type(inline), "__enter__", nobody)
    for folder in (out, old):
        with pytest.raises(WorkersError):
            run(planned(), folder)
    assert not out.exists()
    assert sorted(old.rglob("*")) == before


def test_a_full_disk_halts_the_study_and_it_goes_on_later(
    planned, run, whole, tmp_path, table, monkeypatch
):
    """In a line that says so; what is there is used, the record of the third cell too."""
    out, real, writes = tmp_path / "out", store.Store.write, []

    def full(*given):
        writes.append(given)
        if len(writes) == 3:
            raise ResultsError("the disk is full")
        real(*given)

    monkeypatch.setattr(store.Store, "write", full)
    with pytest.raises(StudyHalted, match="the disk is full"):
        run(planned(), out)
    assert [*out.glob("checkpoints/*/round-*")]
    counts = run(planned(), out).counts()
    assert counts == {"reused": 2, "trained": 1, "timed": 9}
    assert table(out) == table(whole)
    assert not [*out.glob("checkpoints/*")]


def test_a_folder_of_something_else_is_refused(planned, run, tmp_path):
    """Before anything runs; hidden files do not matter."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").touch()
    with pytest.raises(ResultsError, match="holds files that are no study"):
        run(planned(), tmp_path / "full")
    with pytest.raises(ResultsError, match="is a file"):
        run(planned(), tmp_path / "full" / "thesis.tex")


def test_two_commands_never_run_one_study(planned, run, tmp_path):
    """The second is told so."""
    with (
        store.Store(tmp_path / "out").opened(),
        pytest.raises(ResultsError, match="another command is running the study"),
    ):
        run(planned(), tmp_path / "out")
