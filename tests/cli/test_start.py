"""What a command imports before it is needed."""

import subprocess
import sys

import pytest

import netsim as netsim_package

SCRIPT = """
import sys
from netsim.cli import main
try:
    main()
except SystemExit as end:
    heavy = {"torch", "numba", "matplotlib", "sklearn", "duckdb", "networkx"}
    print("heavy:", *sorted(heavy & set(sys.modules)))
    sys.exit(end.code)
"""


def test_the_version(netsim):
    """That of the package, also where another command follows."""
    assert netsim("--version").stdout == f"netsim {netsim_package.__version__}\n"
    assert netsim("--version", "run").stdout == f"netsim {netsim_package.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [("--help",), ("run", "--help"), ("sweep", "--help"), ("transfers", "--help")]
)
def test_help_imports_nothing_heavy(arguments):
    """Nor does the start of any command."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "heavy:"
    assert "Usage: netsim" in done.stdout


def test_without_a_command_it_shows_help(netsim):
    """And the commands there are."""
    done = netsim()
    assert "Usage: netsim" in done.output
    assert all(command in done.output for command in ("run", "transfers", "list"))
