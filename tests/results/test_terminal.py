"""The table that ends a command, in a terminal and outside one."""

import io

import pytest

from netsim.results.terminal import plain_table, show_runs


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_plain_table_in_full(make_run):
    """Columns are aligned, units human, letters ASCII."""
    runs = [
        make_run(pace=0.00002),
        make_run("fedavg", rounds=9, failure="node 3 waits", bound=None),
    ]
    assert plain_table(runs).splitlines() == [
        "run         accuracy  distribution/round     sent  aborted  time to 0.925  / optimum",
        "----------  --------  ------------------  -------  -------  -------------  ---------",
        "eris (A=4)     0.760             16.0 us  71.5 MB   1.39 %              -     1.067x",
        "fedavg         0.941              800 ms   216 MB  0.463 %         8.00 s          -",
        "fedavg: failed: node 3 waits",
    ]


def test_without_accuracy_there_is_no_such_column(volume_run):
    """Nor a time to reach one."""
    assert plain_table([volume_run]).splitlines()[0].split("  ")[0] == "run"
    assert "accuracy" not in plain_table([volume_run])
    assert "time to" not in plain_table([volume_run])


def test_where_all_messages_arrive_there_is_no_such_column(make_run):
    """The one that was cut off is in the second round."""
    assert "aborted" not in plain_table([make_run(rounds=1)])
    assert "aborted" in plain_table([make_run(rounds=1), make_run(rounds=2)])


def test_who_has_nothing_to_train_on_is_said_once(make_run, held):
    """For all runs alike, by name, a few of them."""
    few = [make_run(name, nodes=held(4, 0, 9)) for name in ("one", "two")]
    many = make_run(nodes=held(1, *[0] * 11))
    assert plain_table(few).count("1 client holds no samples to train on: node 1\n") == 1
    line = plain_table([many]).splitlines()[-1]
    assert line.startswith("11 clients hold no samples to train on: node 1, node 2, ")
    assert line.endswith("node 8 and 3 more")
    assert "no samples" not in plain_table([make_run()])


def test_a_pipe_gets_plain_text(make_run):
    """No control codes, whatever is in a label."""
    stream = io.StringIO()
    show_runs([make_run("[red]eris[/red]")], stream)
    assert stream.getvalue() == plain_table([make_run("[red]eris[/red]")])
    assert "\x1b" not in stream.getvalue()


def test_a_pipe_that_takes_only_ascii(make_run):
    """Labels lose what cannot be written; nothing is raised."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    show_runs([make_run("größe")], stream)
    stream.flush()
    assert b"gr??e " in raw.getvalue()


def test_a_terminal_gets_a_table(make_run, monkeypatch):
    """The same figures; a label in brackets is not taken for markup."""
    monkeypatch.setenv("COLUMNS", "120")
    stream = _Terminal()
    show_runs([make_run("[red]eris[/red]", failure="node [3] waits")], stream)
    shown = stream.getvalue()
    assert shown.count("[red]eris[/red]") == 2
    expected = ["0.760", "800 ms", "71.5 MB", "2.00 s", "1.067×"]
    assert [text for text in (*expected, "node [3] waits") if text not in shown] == []


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_run_that_got_nowhere(make_run, table, rounds):
    """Dashes where there is no figure."""
    run = make_run(rounds=rounds, transfers=table(round=[]), failure="deadlock")
    assert "deadlock" in plain_table([run])
