"""CSV files that scenarios name, of every kind."""

from collections.abc import Callable
from pathlib import Path

import pytest

from netsim.network.faults.processes import read_trace
from netsim.network.steps import read_steps
from netsim.scenario.csv_file import CsvError
from netsim.studies.compute.trace import read_times

KINDS: dict[str, tuple[Callable[[Path], object], str, list[str]]] = {
    "rates": (lambda path: read_steps(path, False), "time_s,rate", ["0,8", "1,9"]),
    "nodes": (lambda path: read_trace(path, 2), "time_s,node,on", ["0,0,0", "1,1,0"]),
    "times": (lambda path: read_times(path, 2), "node,round,time_s", ["0,0,1", "1,0,2"]),
}


@pytest.fixture(params=KINDS)
def kind(request, tmp_path):
    """How a kind of file is read from its text; its header and lines."""
    read, header, lines = KINDS[request.param]
    path = tmp_path / "some.csv"

    def of(text: str) -> object:
        path.write_bytes(text.encode())
        return read(path)

    return of, header, lines


def test_what_spreadsheets_write_is_read(kind):
    """A byte order mark, other ends of lines, empty lines, spaces around cells."""
    read, header, lines = kind
    plain = read("\n".join([header, *lines]) + "\n")
    assert read("\ufeff" + "\r\n".join([header, "", *lines, "", ""])) == plain
    spaced = [line.replace(",", " , ") for line in (header, *lines)]
    assert read("\n".join(spaced)) == plain


@pytest.mark.parametrize("name", KINDS)
def test_a_name_that_no_file_can_have_is_told(name):
    """With a byte of zero in it."""
    with pytest.raises(CsvError, match="null byte"):
        KINDS[name][0](Path("a\0b"))


def test_lines_with_more_or_fewer_cells_are_told(kind):
    """All of them, by number."""
    read, header, lines = kind
    cells = header.count(",") + 1
    with pytest.raises(CsvError) as caught:
        read("\n".join([header, lines[0] + ",1", lines[1].rpartition(",")[0]]))
    told = [fault.rpartition("some.csv")[2] for fault in caught.value.faults]
    assert told == [
        f":{at}: has {n} values, not {header}" for at, n in ((2, cells + 1), (3, cells - 1))
    ]


@pytest.mark.parametrize("written", ["1_0", "x", "", "nan", "inf", "-1", "1e999", "0x1", "\u0661"])
def test_what_is_no_number_is_told(kind, written):
    """Neither Python's own way of writing numbers nor what is not finite."""
    read, header, lines = kind
    for at in range(header.count(",") + 1):
        cells = lines[1].split(",")
        cells[at] = written
        with pytest.raises(CsvError, match=r"some\.csv:3: "):
            read("\n".join([header, lines[0], ",".join(cells)]))


def test_many_faults_are_counted(kind):
    """The first ten are shown."""
    read, header, _ = kind
    with pytest.raises(CsvError) as caught:
        read("\n".join([header, *["x"] * 15]))
    assert len(caught.value.faults) == 11
    assert caught.value.faults[-1].endswith(": and 5 more faults")


def test_where_a_relative_path_starts_is_said(monkeypatch, tmp_path):
    """Scenarios lie elsewhere than one works, often."""
    monkeypatch.chdir(tmp_path)
    for read, _, _ in KINDS.values():
        with pytest.raises(CsvError) as caught:
            read(Path("no.csv"))
        assert str(caught.value) == (
            "no.csv: cannot be read: No such file or directory; a relative path starts at the "
            f"working directory, {tmp_path}"
        )
        with pytest.raises(CsvError, match=r"No such file or directory$"):
            read(tmp_path / "no.csv")
