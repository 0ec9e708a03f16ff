"""Bars in a terminal, silence elsewhere."""

import io

from netsim.results.progress import run_progress


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def _go(stream, run):
    with run_progress(stream) as progress:
        progress.start(run.label, rounds=len(run.rounds), done=1)
        for record in run.rounds[1:]:
            progress.advance(run.label, record)
        progress.finish(run.label)


def test_a_terminal_sees_round_accuracy_and_virtual_time(make_run, monkeypatch):
    """The label is shown as it is, brackets and all."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    stream = _Terminal()
    _go(stream, make_run("[red]eris[/red]"))
    shown = stream.getvalue()
    expected = ["[red]eris[/red]", "3/3", "accuracy 0.760", "at 3.00 s"]
    assert [text for text in expected if text not in shown] == []


def test_a_run_without_accuracy(volume_run, monkeypatch):
    """Shows none."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    stream = _Terminal()
    _go(stream, volume_run)
    assert "3/3" in stream.getvalue()
    assert "accuracy" not in stream.getvalue()


def test_a_pipe_sees_nothing(make_run):
    """Not even an empty line."""
    stream = io.StringIO()
    _go(stream, make_run())
    assert stream.getvalue() == ""
