"""``netsim inspect``: who holds what."""

import io

import numpy as np
import pytest

from netsim.studies.inspect.holdings import Holdings
from netsim.studies.inspect.picture import draw
from netsim.studies.inspect.text import bar, lines, show, signs, write_csv

SCENARIO = """\
name: s
rounds: 1
task:
  dataset: digits
  model: {kind: resnet9, width: 8}
  lr: 0.1
  samples_per_client: 20
  holdout: 0.25
  partition: {kind: dirichlet, alpha: 0.3}
network: {nodes: 6, uplink: 1 MB/s, downlink: 1 MB/s}
runs: [{kind: fedavg}]
"""


def held(counts, held_out=None, statistics=0, names=None):
    counts = np.array(counts)
    out = np.zeros(len(counts), int) if held_out is None else np.array(held_out)
    names = names or tuple(map(str, range(counts.shape[1])))
    return Holdings(counts, out, "classes", names, 1000, statistics)


@pytest.mark.parametrize(
    ("counts", "most", "expected"),
    [
        ([50, 0, 50], 100, "0" * 25 + "2" * 25),
        ([1, 1, 2], 8, "0" * 6 + "1" * 6 + "2" * 13),
        ([0, 1], 1000, "1"),
        ([0, 0], 10, ""),
        ([0] * 10 + [1], 1, "a" * 50),
        ([0] * 70 + [1], 1, "+" * 50),
        ([0, 0, 500, 0, 0, 0, 0, 26, 124], 650 * 10, "22228"),
        ([45, 31], 76 * 50, "0"),
    ],
)
def test_a_bar_has_a_sign_a_label(counts, most, expected):
    """In the order of labels, as long as the samples are many; few are never nothing, and the
    larger of two is never the one that is not shown."""
    assert bar(np.array(counts), most, signs([*map(str, range(len(counts)))])) == expected


@pytest.mark.parametrize(
    ("names", "used", "key"),
    [
        (("0", "1"), "01", None),
        (("1", "2"), "12", None),
        (("cat", "dog"), "01", "0: cat, 1: dog"),
        (("0.5", "1"), "01", "0: 0.5, 1: 1"),
    ],
)
def test_signs_are_names_or_told(names, used, key):
    """Ratings from 1 on are shown as they are, folders by number with a line that names them."""
    found = lines(held([[8, 2]], names=names))
    assert set(found[0].partition("|")[2]) == set(used)
    assert "a sign is about 0.200 samples" in found
    assert (key in found) if key else not any(": " in line for line in found[2:3])


def test_rows_say_how_many_exactly():
    """One for each client and label that it holds."""
    stream = io.StringIO()
    write_csv(held([[3, 1], [0, 0], [0, 6]], names=("cat", "dog, wild")), stream)
    assert stream.getvalue().splitlines() == [
        "client,label,samples",
        "0,cat,3",
        '0,"dog, wild",1',
        '2,"dog, wild",6',
    ]


def test_totals_are_counted():
    """Samples, labels a client, empty clients, what is held out, and the model's size."""
    text = "\n".join(lines(held([[3, 1], [0, 0], [0, 6]], [1, 0, 1], statistics=24)))
    assert "10 samples at 3 clients: 0 to 6 each, median 4" in text
    assert "classes a client: 0 to 2 of 2, mean 1.00" in text
    assert "1 client holds nothing to train on" in text
    assert "2 more samples are held out" in text
    assert "1,000 parameters and 24 running statistics, 4.10 kB dense" in text


def test_of_many_clients_the_first_and_the_last_are_shown():
    """Thirty each."""
    found = lines(held(np.ones((100, 2), int)))
    assert found[29].startswith("client 29 ")
    assert found[30] == "… 40 more …"
    assert found[31].startswith("client 70 ")


def test_a_terminal_sees_colours():
    """A pipe sees none."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    plain, coloured = io.StringIO(), Terminal()
    for stream in (plain, coloured):
        show(held([[3, 1], [2, 6]]), stream)
    assert "\x1b[" not in plain.getvalue()
    assert "\x1b[" in coloured.getvalue()


@pytest.mark.parametrize("labels", [2, 10, 60])
def test_the_picture_has_a_disc_for_each_label_held(labels):
    """And a bar a client; with many labels bars alone."""
    counts = np.eye(4, labels, dtype=int) * 5
    figure = draw(held(counts, [1, 0, 0, 0]))
    assert len(figure.axes) == (1 if labels > 40 else 2)
    if labels <= 40:
        (discs,) = figure.axes[0].collections
        assert len(discs.get_offsets()) == np.count_nonzero(counts)
    assert len(figure.axes[-1].patches) == 8


def test_a_scenario_end_to_end(netsim, here):
    """Fifteen samples a client at most, five held out, and a picture."""
    (here / "s.yaml").write_text(SCENARIO)
    done = netsim("inspect", "s.yaml", "--out", "out/held.png")
    assert done.exit_code == 0, done.output
    assert len([line for line in done.stdout.splitlines() if line.startswith("client")]) == 6
    assert "held out for validation" in done.stdout
    assert "103,810 parameters and 560 running statistics" in done.stdout
    assert (here / "out" / "held.png").read_bytes()[:4] == b"\x89PNG"
    rows = [row.split(",") for row in netsim("inspect", "s.yaml", "--csv").stdout.splitlines()]
    assert sum(int(samples) for _, _, samples in rows[1:]) == sum(
        int(line.split()[2]) for line in done.stdout.splitlines() if line.startswith("client")
    )


def test_what_cannot_be_inspected(netsim, here, written):
    """A volume, a dataset that is missing, a file that is none: a line and code 2."""
    done = netsim("inspect", written)
    assert (done.exit_code, done.stderr) == (
        2,
        "s.yaml: a volume has no samples; nothing to inspect\n",
    )
    (here / "t.yaml").write_text(SCENARIO.replace("digits", "mnist"))
    done = netsim("inspect", "t.yaml", "--data", str(here))
    assert done.exit_code == 2
    assert done.stderr.startswith("t.yaml:4:12: task.dataset: dataset mnist is missing: ")
    assert netsim("inspect", "none.yaml").exit_code == 2
    (here / "u.yaml").write_text(SCENARIO + "evaluate: {sample: 9999}\n")
    done = netsim("inspect", "u.yaml")
    assert done.exit_code == 2
    assert done.stderr.startswith("u.yaml:12:20: evaluate.sample: 9999 of ")
