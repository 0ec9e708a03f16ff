"""The result folder: every file of a result, put in place whole or not at all."""

import json
import os
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from netsim.results import parquet, trace
from netsim.results.errors import ResultsError, unwritable
from netsim.results.records import RunResult
from netsim.results.summary import summary, to_json

_MANIFEST = "manifest.json"
_FILES = {
    _MANIFEST,
    "scenario.resolved.yaml",
    "summary.json",
    "rounds.parquet",
    "transfers.parquet",
    "links.parquet",
    "nodes.parquet",
    "trace.json",
    "plots",
    "report.html",
}
"""What stands in the folder of a result."""


def check_writable(folder: Path) -> None:
    """See that a result can be put at ``folder``, before anything runs; leaves no trace.

    Raises:
        ResultsError: it is a file, holds something other than a netsim result, or its parent
            cannot be written.
    """
    with _told(folder):
        folder = _resolved(folder)
        _check_replaceable(folder)
        parent = next(path for path in folder.parents if path.exists())
    with _told(parent):
        # As long as the longest name that will stand there.
        probe = _sibling(folder if parent == folder.parent else parent / "netsim", "earlier")
        probe.mkdir()
        probe.rmdir()


def write(
    folder: Path,
    scenario_name: str,
    seed: int,
    runs: Sequence[RunResult],
    resolved_yaml: str,
    manifest: Mapping[str, Any],
    pages: bool = True,
) -> None:
    """Leave the result of ``runs`` in ``folder``, in place of an earlier netsim result.

    Files are written to a hidden folder beside it, which takes its place at the end.  Without
    ``pages`` the trace, the plots and the report are left out.

    Raises:
        ResultsError: see :func:`check_writable`; or the disk is full or fails.
    """
    assert len({run.label for run in runs}) == len(runs), "two runs with one label"
    with _told(folder):
        folder = _resolved(folder)
        _check_replaceable(folder)
    part = _sibling(folder, "part")
    with _told(folder):
        try:
            part.mkdir(parents=True)
            _write_files(part, scenario_name, seed, runs, resolved_yaml)
            if pages:
                _write_pages(part, scenario_name, seed, runs, resolved_yaml, manifest)
            _write_text(part / _MANIFEST, to_json(dict(manifest)))
            _put_in_place(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _write_files(
    folder: Path, scenario_name: str, seed: int, runs: Sequence[RunResult], resolved_yaml: str
) -> None:
    _write_text(folder / "scenario.resolved.yaml", resolved_yaml)
    _write_text(folder / "summary.json", to_json(summary(scenario_name, seed, runs)))
    parquet.write_rounds(folder / "rounds.parquet", runs)
    parquet.write_transfers(folder / "transfers.parquet", runs)
    parquet.write_links(folder / "links.parquet", runs)
    parquet.write_nodes(folder / "nodes.parquet", runs)


def _write_pages(
    folder: Path,
    scenario_name: str,
    seed: int,
    runs: Sequence[RunResult],
    resolved_yaml: str,
    manifest: Mapping[str, Any],
) -> None:
    from netsim.results import plot_style, plots, report

    trace.write_trace(folder / "trace.json", runs)
    (folder / "plots").mkdir()
    with plot_style.style():
        figures = plots.draw(runs)
        plot_style.save(figures, folder / "plots")
        page = report.render(scenario_name, seed, runs, resolved_yaml, manifest, figures)
    _write_text(folder / "report.html", page)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _resolved(folder: Path) -> Path:
    """Where ``folder`` really is; raises ResultsError for the root and for links in a circle."""
    real = Path(os.path.realpath(folder))
    if any(path.is_symlink() for path in (real, *real.parents)):
        raise ResultsError(f"cannot write {folder}: its links lead in a circle")
    if not real.name:
        raise ResultsError(f"{real} cannot be the folder of a result; name one in it")
    return real


def _check_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ResultsError(f"{folder} is a file; a result needs a folder")
    names = {path.name for path in folder.iterdir()}
    if names and not is_result(folder):
        raise ResultsError(
            f"{folder} holds files that are no netsim result; choose another folder or empty it"
        )
    if others := sorted(names - _FILES):
        raise ResultsError(
            f"{folder} holds {others[0]}, which is no file of a result and would be lost; "
            "choose another folder or move it"
        )


def is_result(folder: Path) -> bool:
    """Whether a netsim result stands in this folder."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    versions = manifest.get("versions") if isinstance(manifest, dict) else None
    return isinstance(versions, dict) and "netsim" in versions


def _put_in_place(part: Path, folder: Path) -> None:
    """Move ``part`` to ``folder``; an earlier result there steps aside until that is done."""
    if not folder.exists():
        os.replace(part, folder)
        return
    earlier = _sibling(folder, "earlier")
    os.replace(folder, earlier)
    try:
        os.replace(part, folder)
    except OSError:
        os.replace(earlier, folder)
        raise
    shutil.rmtree(earlier)


def _sibling(folder: Path, purpose: str) -> Path:
    """A new hidden name beside ``folder``, on the same disk."""
    return folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:12]}.{purpose}")


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Turn a failure of the file system into a line for the user."""
    try:
        yield
    except OSError as error:
        raise unwritable(folder, error) from error
