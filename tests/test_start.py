"""What starts quickly stays quick: no heavy library is imported for it."""

import subprocess
import sys

import pytest

HEAVY = {"torch", "numba", "matplotlib", "sklearn", "duckdb", "scipy"}

SCRIPT = """
import sys
from netsim.cli import main
sys.argv = ["netsim", *sys.argv[1:]]
try:
    main()
finally:
    print("modules:", *sys.modules)
"""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["list", "protocols"], ["run", "--help"], ["validate", "--help"]]
)
def test_imports_nothing_heavy(arguments: list[str]) -> None:
    """Help and lists work without the libraries that take seconds to import."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True
    )
    modules = set(done.stdout.rpartition("modules:")[2].split())
    assert "netsim.cli" in modules
    assert not modules & HEAVY
