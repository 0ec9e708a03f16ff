"""``netsim transfers``."""

import json
from pathlib import Path

import pytest

CASES = Path(__file__).parents[1] / "data" / "maxmin_cases.json"


@pytest.fixture
def file(here):
    """Writes a JSON file; returns its name."""

    def write(content):
        (here / "t.json").write_text(content if isinstance(content, str) else json.dumps(content))
        return "t.json"

    return write


def test_the_known_cases_have_their_known_times(netsim):
    """Exact finish times, to 1e-9; every flow of every case."""
    done = netsim("transfers", str(CASES), "--json")
    found = json.loads(done.stdout)["cases"]
    known = [case["finish_s"] for case in json.loads(CASES.read_text())["cases"]]
    assert len(found) == len(known) == 12
    for one, other in zip(found, known, strict=True):
        assert one["finish_s"] == pytest.approx(other, rel=1e-9, abs=0)


ONE = {
    "links": {"up": 8000, "dead": 0},
    "flows": [
        {"id": "a", "links": ["up"], "bits": 8000, "start": 0},
        {"id": "b", "links": ["up"], "bits": 8000, "start": 0.5},
        {"id": "never", "links": ["dead"], "bits": 1, "start": 0},
        {"id": "nothing", "links": ["dead"], "bits": 0, "start": 3},
    ],
}
TIMES = {"a": 1.5, "b": 2.0, "never": None, "nothing": 3}


def test_a_single_case_stands_alone(netsim, file):
    """Half alone, then shared; no rate is never, no bits at once."""
    done = netsim("transfers", file(ONE), "--json")
    assert json.loads(done.stdout) == {"cases": [{"finish_s": TIMES}]}


def test_as_text(netsim, file):
    """A line a transfer."""
    lines = [line.split() for line in netsim("transfers", file(ONE)).stdout.splitlines()]
    assert lines[0] == ["case", "1"]
    assert sorted(lines[1:]) == [
        ["a", "1.5", "s"],
        ["b", "2", "s"],
        ["never", "never"],
        ["nothing", "3", "s"],
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "t.json:1:2: "),
        ("[]", "t.json: "),
        ({"links": {"a": -1}, "flows": []}, "cases[0].links.a"),
        ({"links": {}, "flows": [ONE["flows"][0]]}, "unknown link 'up'"),
        ({"links": {"up": 1}, "flows": [ONE["flows"][0]] * 2}, "another flow has this id"),
    ],
)
def test_a_file_that_cannot_be_used(netsim, file, content, says):
    """Exit code 2 and a line that says where."""
    done = netsim("transfers", file(content), "--json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_file_that_is_not_there(netsim):
    """One line."""
    done = netsim("transfers", "none.json")
    assert (done.exit_code, done.stderr) == (2, "none.json: No such file or directory\n")
