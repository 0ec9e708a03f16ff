"""Files of transfers: what is read, and what is refused with which words."""

import json
from pathlib import Path
from typing import Any

import pytest

from netsim.network.sharing.policies import POLICIES
from netsim.network.transfers import TransfersError, finish_times, parse_cases, run_transfers


def case(**changes: Any) -> dict[str, Any]:
    """A sound case of two flows, changed."""
    sound: dict[str, Any] = {
        "links": {"up": 10, "down": 5},
        "flows": [
            {"id": "a", "links": ["up", "down"], "bits": 50, "start": 0},
            {"id": "b", "links": ["up"], "bits": 50, "start": 0.5},
        ],
        "capacity_changes": [],
    }
    return {**sound, **changes}


def flow(**changes: Any) -> dict[str, Any]:
    """A case whose only flow is changed."""
    return case(flows=[{"id": "a", "links": ["up"], "bits": 50, "start": 0, **changes}])


def written(path: Path, document: Any) -> Path:
    file = path / "cases.json"
    file.write_text(json.dumps(document), "utf-8")
    return file


def test_a_file_of_cases_and_a_single_case(tmp_path: Path) -> None:
    """Both forms are read; every case has its finish times by id."""
    one = [{"finish_s": {"a": 10.0, "b": 10.25}}]
    assert run_transfers(written(tmp_path, case())) == one
    assert run_transfers(written(tmp_path, {"cases": [case(), case()]})) == one * 2


def test_never_is_none_and_no_bits_end_at_once() -> None:
    """Zero capacity gives None; a transfer of no bits ends when it starts."""
    (read,) = parse_cases(case(links={"up": 10, "down": 0}))
    assert finish_times(read) == {"a": None, "b": 5.5}
    (read,) = parse_cases(flow(bits=0, start=3))
    assert finish_times(read) == {"a": 3}


def test_changes_apply_by_time_and_then_in_order_of_the_list() -> None:
    """The list need not be sorted; of two changes at one time the later in the list holds."""
    changes = [[4, "up", 5], [2, "up", 1], [4, "up", 20]]
    (read,) = parse_cases({**flow(), "capacity_changes": changes})
    assert finish_times(read) == {"a": pytest.approx(4 + 28 / 20)}


def test_another_policy() -> None:
    """The way to share may be chosen."""
    (read,) = parse_cases(case())
    assert finish_times(read, POLICIES["fifo"]) == {"a": 10.0, "b": 15.0}
    assert finish_times(read, POLICIES["optimal"]) == {"a": 10.25, "b": 10.25}


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (flow(links=["up", "upp"]), "cases[0].flows[0] 'a': unknown link 'upp'"),
        (flow(links=["up", "up"]), "cases[0].flows[0] 'a': crosses link 'up' twice"),
        (flow(links=[]), "cases[0].flows[0] 'a'.links: "),
        (flow(bits=-1), "cases[0].flows[0] 'a'.bits: "),
        (flow(bits=1.5), "cases[0].flows[0] 'a'.bits: "),
        (flow(bits=True), "cases[0].flows[0] 'a'.bits: "),
        (flow(bits=2**54), "cases[0].flows[0] 'a'.bits: "),
        (flow(bits=float("nan")), "cases[0].flows[0] 'a'.bits: "),
        (flow(start=-1), "cases[0].flows[0] 'a'.start: "),
        (flow(start=float("nan")), "cases[0].flows[0] 'a'.start: "),
        (flow(speed=1), "cases[0].flows[0] 'a'.speed: "),
        (case(links={"up": float("inf"), "down": 1}), "cases[0].links.up: "),
        (case(links={"up": "10 Mbit/s", "down": 1}), "cases[0].links.up: "),
        (case(capacity_changes=[[1, "x", 2]]), "cases[0].capacity_changes[0]: unknown link 'x'"),
        (case(capacity_changes=[[1, "up", -2]]), "cases[0].capacity_changes[0][2]: "),
        (case(flows=case()["flows"] * 2), "cases[0].flows[2] 'a': another flow has this id"),
        ({"cases": [case(), {"links": {}}]}, "cases[1].flows: "),
        ([], "the document: "),
    ],
)
def test_bad_cases_are_named(document: Any, words: str) -> None:
    """The message says which case and which flow, and what is wrong."""
    with pytest.raises(TransfersError) as error:
        parse_cases(document)
    assert words in str(error.value)


def test_all_problems_at_once(tmp_path: Path) -> None:
    """Every line is one problem and begins with the file."""
    file = written(tmp_path, {"cases": [flow(links=["x", "y"]), flow(links=["z"])]})
    with pytest.raises(TransfersError) as error:
        run_transfers(file)
    assert [line.split(": ")[0] for line in str(error.value).splitlines()] == [str(file)] * 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n "cases": [,]}', ":2:12: Expecting value"),
        ('{"links": {"a": 1, "a": 2}, "flows": []}', "the key 'a' stands twice in one object"),
        ("[" * 100_000, "recursion"),
        ("\xff", "utf-8"),
    ],
)
def test_files_that_are_not_json(tmp_path: Path, text: str, words: str) -> None:
    """Syntax errors give line and column; nothing ends in a traceback."""
    file = tmp_path / "cases.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(TransfersError) as error:
        run_transfers(file)
    assert str(file) in str(error.value)
    assert words in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file is an error of the user's, with its name."""
    with pytest.raises(TransfersError, match=r"nowhere\.json: No such file"):
        run_transfers(tmp_path / "nowhere.json")
