"""A result folder appears whole, replaces only its own kind, and says why it cannot be written."""

import errno
import json
from pathlib import Path

import pytest

from netsim.results import folder, parquet
from netsim.results.errors import ResultsError

FILES = {
    "scenario.resolved.yaml",
    "manifest.json",
    "summary.json",
    "rounds.parquet",
    "transfers.parquet",
    "links.parquet",
    "nodes.parquet",
    "trace.json",
    "plots",
    "report.html",
}


@pytest.fixture
def write(volume_run, manifest):
    """Writes a small result."""

    def write(path, runs=None, name="made up"):
        folder.write(path, name, 7, runs or [volume_run], "name: made up\n", manifest)

    return write


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("loop", r"cannot write .*loop: its links lead in a circle$"),
        ("loop/inner", r"cannot write .*loop/inner: its links lead in a circle$"),
        ("/", r"^/ cannot be the folder of a result; name one in it$"),
        ("x" * 300, "^cannot write .*: File name too long$"),
        ("y/" * 2500, "^cannot write .*: File name too long$"),
    ],
)
def test_a_place_that_cannot_be_is_told(tmp_path, write, name, says):
    """Before anything runs, and by who writes."""
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ResultsError, match=says):
        folder.check_writable(tmp_path / name)
    with pytest.raises(ResultsError, match=says):
        write(tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == ["loop"]


def test_a_file_of_the_user_s_is_never_lost(tmp_path, write):
    """What stands beside a result keeps another from taking its place."""
    write(tmp_path / "out")
    (tmp_path / "out" / "my_notes.txt").write_text("dear")
    for again in (folder.check_writable, write):
        with pytest.raises(ResultsError, match=r"holds my_notes\.txt, which is no file of a"):
            again(tmp_path / "out")
    assert (tmp_path / "out" / "my_notes.txt").read_text() == "dear"


def test_a_manifest_of_any_depth_is_no_result(tmp_path):
    """Nor is one whose brackets never end."""
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(ResultsError, match="no netsim result"):
        folder.check_writable(tmp_path)


@pytest.fixture
def broken(monkeypatch):
    """Makes the writing of a file fail with an error."""

    def fail(error):
        def write_transfers(path, runs):
            path.write_bytes(b"half")
            raise error

        monkeypatch.setattr(parquet, "write_transfers", write_transfers)

    return fail


def test_every_file_of_the_contract(tmp_path, write, make_run):
    """Folders above are made; the scenario and the manifest are as given."""
    write(tmp_path / "deep" / "out", [make_run()])
    out = tmp_path / "deep" / "out"
    assert {path.name for path in out.iterdir()} == FILES
    assert (out / "scenario.resolved.yaml").read_text() == "name: made up\n"
    assert json.loads((out / "summary.json").read_text())["scenario"] == "made up"
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["seed"], manifest["wall_time_s"]) == (7, 1.5)
    assert set(manifest["versions"]) >= {"netsim", "python", "numpy"}
    assert set(manifest["machine"]) == {"platform", "cpu", "cores"}
    assert len(list((out / "plots").iterdir())) == 8


@pytest.mark.parametrize("error", [RuntimeError("bug"), KeyboardInterrupt()])
def test_a_failure_leaves_nothing(tmp_path, write, broken, error):
    """Neither half a result nor a temporary folder; the failure comes through."""
    broken(error)
    with pytest.raises(type(error)):
        write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_keeps_the_earlier_result(tmp_path, write, broken):
    """Until the new one is complete the old one stands."""
    write(tmp_path / "out", name="earlier")
    broken(RuntimeError("bug"))
    with pytest.raises(RuntimeError):
        write(tmp_path / "out", name="later")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert _scenario(tmp_path / "out") == "earlier"


def test_a_failed_move_brings_the_earlier_result_back(tmp_path, write, monkeypatch):
    """The old folder has stepped aside when the new one cannot be moved in."""
    write(tmp_path / "out", name="earlier")
    real = folder.os.replace

    def replace(source, target):
        if str(source).endswith(".part"):
            raise OSError(errno.EIO, "Input/output error")
        real(source, target)

    monkeypatch.setattr(folder.os, "replace", replace)
    with pytest.raises(ResultsError, match="Input/output error"):
        write(tmp_path / "out", name="later")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert _scenario(tmp_path / "out") == "earlier"


def test_a_full_disk_is_told_in_a_line(tmp_path, write, broken):
    """An error of the file system is the user's to solve."""
    broken(OSError(errno.ENOSPC, "the disk is full"))
    with pytest.raises(
        ResultsError, match=r"cannot write .*out: the disk is full; free some space"
    ):
        write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_result_or_an_empty_folder_is_replaced(tmp_path, write):
    """No file of the earlier result is left."""
    (tmp_path / "out").mkdir()
    write(tmp_path / "out", name="earlier")
    (tmp_path / "out" / "plots" / "old.png").touch()
    folder.check_writable(tmp_path / "out")
    write(tmp_path / "out", name="later")
    assert _scenario(tmp_path / "out") == "later"
    assert not (tmp_path / "out" / "plots" / "old.png").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "manifest_text", [None, "{}", "[]", '{"versions": {"other": 1}}', "half {"]
)
def test_other_folders_are_refused(tmp_path, write, manifest_text):
    """A manifest.json of another program does not make a folder ours."""
    (tmp_path / "thesis.tex").touch()
    if manifest_text is not None:
        (tmp_path / "manifest.json").write_text(manifest_text)
    for attempt in (folder.check_writable, write):
        with pytest.raises(ResultsError, match="no netsim result; choose another folder"):
            attempt(tmp_path)
    assert (tmp_path / "thesis.tex").exists()


def test_a_file_in_the_way(tmp_path):
    """At the place of the folder, or of one above it."""
    (tmp_path / "out").touch()
    with pytest.raises(ResultsError, match="is a file"):
        folder.check_writable(tmp_path / "out")
    with pytest.raises(ResultsError, match="cannot write"):
        folder.check_writable(tmp_path / "out" / "below")


def test_a_place_that_cannot_be_written(tmp_path, write, monkeypatch):
    """Told before anything runs, and nothing is left of the attempt."""

    def mkdir(self, *args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", mkdir)
    for attempt in (folder.check_writable, write):
        with pytest.raises(ResultsError, match=r"cannot write .*: Permission denied"):
            attempt(tmp_path / "a" / "b")


def test_checking_leaves_no_trace(tmp_path):
    """Neither the folder nor a probe."""
    folder.check_writable(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def _scenario(path):
    return json.loads((path / "summary.json").read_text())["scenario"]
