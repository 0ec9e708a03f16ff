"""Sets up a virtual environment in this clone and works in it.

    python3 tools/dev.py quickstart    run scenarios/quickstart.yaml
    python3 tools/dev.py test [...]    run every check, then the tests; [...] goes to pytest

Needs Python 3.11 or later and nothing else. The environment is .venv; it is installed once, and
again when pyproject.toml or constraints.txt change.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if sys.platform == "win32" else "bin")
STAMP = VENV / "installed"
OLDEST = (3, 11)

QUICKSTART = ("netsim", "run", "scenarios/quickstart.yaml", "--out", "results/quickstart")
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
)
TESTS = ("pytest", "-n", "2")


def main(arguments: Sequence[str]) -> int:
    """Do what the command line says; the exit code."""
    if sys.version_info < OLDEST:
        found = sys.version.split()[0]
        print(f"netsim needs Python {OLDEST[0]}.{OLDEST[1]} or later; this is {found}")
        return 2
    if list(arguments) == ["quickstart"]:
        return install() or call(QUICKSTART)
    if list(arguments[:1]) == ["test"]:
        return install() or test(CHECKS, (*TESTS, *arguments[1:]))
    print(__doc__)
    return 2


def install() -> int:
    """Make .venv what pyproject.toml and constraints.txt ask for; the exit code."""
    wanted = fingerprint()
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return 0
    print(f"setting up {VENV}: some minutes, once", flush=True)
    code = subprocess.call([sys.executable, "-m", "venv", "--clear", str(VENV)])
    packages = ("-e", ".[dev]", "-c", "constraints.txt")
    code = code or call(("python", "-m", "pip", "install", "--quiet", *packages))
    if code == 0:
        STAMP.write_text(wanted)
    return code


def fingerprint() -> str:
    """Changes when the environment has to be installed again."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def test(checks: Sequence[Sequence[str]], tests: Sequence[str]) -> int:
    """Run all the checks, whether or not one fails, and the tests last; the exit code."""
    failed = [check for check in checks if call(check) != 0]
    code = call(tests)
    for check in failed:
        print(f"failed before the tests: {' '.join(check)}", flush=True)
    return code or bool(failed)


def call(command: Sequence[str]) -> int:
    """Run a command of the environment in the clone; the exit code."""
    print(f"$ {' '.join(command)}", flush=True)
    return subprocess.call([str(BIN / command[0]), *command[1:]], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
