"""``tools/dev.py`` and the files it installs from."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def dev() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "tools" / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def clone(dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that an installation depends on, in place of the real one."""
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text("a")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "BIN", Path(sys.executable).parent)
    monkeypatch.setattr(dev, "STAMP", tmp_path / "installed")
    return tmp_path


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_installs_again_only_when_its_files_change(
    dev: ModuleType, clone: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """One installation is enough until what it was made from is another."""
    made = []
    monkeypatch.setattr(dev.subprocess, "call", lambda command, **_: made.append(command) or 0)
    dev.install()
    first = len(made)
    dev.install()
    assert len(made) == first > 0
    (clone / name).write_text("b")
    dev.install()
    assert len(made) == 2 * first


def test_a_failed_installation_is_not_taken_for_one(
    dev: ModuleType, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails, and the next call tries again."""
    monkeypatch.setattr(dev.subprocess, "call", lambda command, **_: 1)
    assert dev.install() == 1
    assert not (clone / "installed").exists()


@pytest.mark.parametrize(
    ("checks", "tests", "code"),
    [("pass", "pass", 0), ("exit(1)", "pass", 1), ("pass", "exit(5)", 5)],
)
def test_fails_if_a_check_or_the_tests_fail(
    dev: ModuleType, clone: Path, checks: str, tests: str, code: int
) -> None:
    """Not only the last command counts."""
    python = Path(sys.executable).name
    assert dev.test([(python, "-c", checks), (python, "-c", "pass")], (python, "-c", tests)) == code


def test_unknown_command_is_refused(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """With the usage, not a traceback."""
    assert dev.main(["tests"]) == 2
    assert "tools/dev.py test" in capsys.readouterr().out


def test_readme_shows_the_quickstart_that_the_script_runs(dev: ModuleType) -> None:
    """The command that README gives for an active environment is the same."""
    assert " ".join(dev.QUICKSTART) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_dependency_is_pinned() -> None:
    """constraints.txt has one exact version of each package that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==")[0] for line in lines if not line.startswith("#")]
    assert len(pins) == len(set(pins)) == sum("==" in line for line in lines)
    assert {normal(re.split(r"[<>=]", each)[0]) for each in wanted} <= set(pins)


def normal(name: str) -> str:
    """A package's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
