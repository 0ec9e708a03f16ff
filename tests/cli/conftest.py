"""The commands, run in this process from a folder of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from netsim.cli.app import app

SCENARIO = """\
name: tiny
rounds: 1
volume: {parameters: 1000}
network: {nodes: 4, uplink: 1 MB/s, downlink: 1 MB/s, latency: 1 ms}
runs:
  - {kind: fedavg}
  - {kind: eris, aggregators: 4}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def netsim(here: Path) -> Callable[..., Result]:
    """Runs a command; nothing but ``SystemExit`` may come out of it."""

    def go(*arguments: str) -> Result:
        done = CliRunner().invoke(app, [*arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
        assert "Traceback" not in done.output
        return done

    return go


@pytest.fixture
def written(here: Path) -> str:
    """The scenario in a file; its name."""
    (here / "s.yaml").write_text(SCENARIO)
    return "s.yaml"


@pytest.fixture
def run(here: Path, netsim: Callable[..., Result]) -> Callable[..., Result]:
    """``netsim run s.yaml`` of a scenario with (old, new) texts exchanged; results to out."""

    def go(*changes: tuple[str, str], more: str = "") -> Result:
        text = SCENARIO
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (here / "s.yaml").write_text(text + more)
        return netsim("run", "s.yaml", "--out", "out")

    return go
