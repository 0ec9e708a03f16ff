"""A result folder read back: which rounds it explains, and what is wrong with it if none."""

import dataclasses

import pytest

from netsim.results import parquet
from netsim.results.critical import Span
from netsim.results.errors import ResultsError
from netsim.results.links import link_use
from netsim.results.ranking import busiest_links
from netsim.results.reading import read_rounds
from netsim.results.summary import summary, to_json


@pytest.fixture
def folder(tmp_path, manifest):
    """Writes the files of a result that explanations are read from."""

    def write(*runs):
        parquet.write_rounds(tmp_path / "rounds.parquet", runs)
        parquet.write_links(tmp_path / "links.parquet", runs)
        (tmp_path / "summary.json").write_text(to_json(summary("x", 7, runs)))
        (tmp_path / "manifest.json").write_text(to_json(manifest))
        return tmp_path

    return write


def test_the_slowest_round_of_each_run(folder, explained_run):
    """What is read is what was found."""
    runs = explained_run("a"), explained_run("b", slow_s=1.4)
    read = read_rounds(folder(*runs), None, None)
    assert [(each.run, each.round, each.slowest, each.rounds) for each in read] == [
        ("a", 1, True, 2),
        ("b", 0, True, 2),
    ]
    for each, run in zip(read, runs, strict=True):
        record = run.rounds[each.round]
        assert each.why == record.why
        assert (each.start_s, each.end_s) == (record.start_s, record.end_s)
        assert list(each.links) == busiest_links(run.links, each.round, 5)


def test_links_without_a_rate_are_left_out(folder, explained_run, story):
    """A trace raised it later; its utilisation is not known."""
    net = story(uplink=["0 bit/s", "8 Mbit/s", "8 Mbit/s"])
    sent = net.transfers([(0, 1, "a", 800, 0, 2)])
    links = link_use(sent, net.topology, [Span(0, 0.0, 2.0)])
    (read,) = read_rounds(folder(dataclasses.replace(explained_run(), links=links)), 0, None)
    assert [each.link for each in read.links] == ["downlink of node 1"]


def test_a_round_of_one_run(folder, explained_run):
    """Another than the slowest."""
    path = folder(explained_run("a"), explained_run("b"))
    (read,) = read_rounds(path, 0, "b")
    assert (read.run, read.round, read.slowest) == ("b", 0, False)


def test_runs_without_the_round_are_left_out(folder, explained_run):
    """One stopped early."""
    short = explained_run("short")
    short = dataclasses.replace(short, rounds=short.rounds[:1], failure="deadlock")
    path = folder(short, explained_run("long"))
    assert [each.run for each in read_rounds(path, 1, None)] == ["long"]
    with pytest.raises(ResultsError, match="no round 1; there are rounds 0 to 0"):
        read_rounds(path, 1, "short")
    with pytest.raises(ResultsError, match="no round 2; there are rounds 0 to 1"):
        read_rounds(path, 2, None)


def test_no_such_run(folder, explained_run):
    """The message names those there are."""
    path = folder(explained_run("it's"), explained_run("b"))
    with pytest.raises(ResultsError, match="""no run 'c'; there are "it's", 'b'"""):
        read_rounds(path, None, "c")


def test_a_run_that_failed_at_once(folder, explained_run):
    """There is nothing to explain."""
    path = folder(dataclasses.replace(explained_run(), rounds=(), failure="deadlock"))
    with pytest.raises(ResultsError, match="no round was completed"):
        read_rounds(path, None, None)


def test_folders_that_are_no_result(tmp_path):
    """Missing, a file, or another program's."""
    (tmp_path / "file").touch()
    for name, says in (("missing", "missing: no such folder"), ("file", "file is a file; write ")):
        with pytest.raises(ResultsError, match=says):
            read_rounds(tmp_path / name, None, None)
    with pytest.raises(ResultsError, match="is no netsim result"):
        read_rounds(tmp_path, None, None)


def test_old_and_damaged_results(folder, explained_run):
    """Written before there were explanations, or files that cannot be read."""
    path = folder(explained_run())
    (path / "rounds.parquet").write_bytes(b"PAR1")
    with pytest.raises(ResultsError, match=r"rounds\.parquet cannot be read"):
        read_rounds(path, None, None)
    (path / "summary.json").write_text('{"runs": [{}]}')
    with pytest.raises(ResultsError, match=r"summary\.json cannot be read"):
        read_rounds(path, None, None)
    (path / "links.parquet").unlink()
    with pytest.raises(ResultsError, match="does not say why rounds took their time; run it again"):
        read_rounds(path, None, None)
