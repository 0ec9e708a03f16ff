"""Cases are measured in processes of their own."""

import os
from pathlib import Path

import pytest

from netsim.studies.bench.processes import measure
from netsim.studies.bench.trained import Trained

MODULE = """
import os
from netsim.studies.bench.processes import main
from netsim.studies.bench.trained import Trained

CASES = {
    "fine": lambda name: Trained(name, 0.5, 2.0, os.getpid(), "loop"),
    "broken": lambda name: 1 / 0,
}
main(CASES)
"""


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_cases.py").write_text(MODULE)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)


def test_each_case_has_a_process() -> None:
    """And its row comes back whole."""
    rows = list(measure("some_cases", ["fine", "fine"], Trained))
    assert [(row.case, row.seconds, row.gradients) for row in rows] == [("fine", 0.5, "loop")] * 2
    assert len({row.peak_memory_bytes for row in rows} | {os.getpid()}) == 3


def test_a_case_that_breaks_says_how() -> None:
    """With the end of what it wrote."""
    with pytest.raises(RuntimeError, match=r"(?s)case broken failed.*ZeroDivisionError"):
        list(measure("some_cases", ["broken"], Trained))
