"""SimGrid as a peer: the same transfers, where its Python bindings are installed."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from netsim.network.sharing.base import Float64
from netsim.network.sharing.play import Case

HOW = "SimGrid: not installed (Debian: apt-get install python3-simgrid)"
_PYTHONS = ("/usr/bin/python3", sys.executable)
_SCRIPT = Path(__file__).with_name("simgrid_peer.py")


def python_with_simgrid() -> str | None:
    """An interpreter that can import simgrid, if there is one."""
    for python in _PYTHONS:
        if Path(python).exists():
            tried = subprocess.run([python, "-c", "import simgrid"], capture_output=True)
            if tried.returncode == 0:
                return python
    return None


def play_on_simgrid(case: Case, python: str) -> tuple[float, Float64]:
    """Seconds the simulation took, and when each transfer ends."""
    routes = case.route_links.reshape(-1, 2)
    content = {
        "rates_Bps": (case.capacity_bps / 8).tolist(),
        "sender": (routes[:, 0] // 2).tolist(),
        "receiver": (routes[:, 1] // 2).tolist(),
        "bytes": (case.bits // 8).tolist(),
    }
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "case.json", Path(folder) / "finish.json"
        source.write_text(json.dumps(content))
        run = subprocess.run(
            [python, str(_SCRIPT), str(source), str(target)],
            capture_output=True,
            text=True,
            check=True,
        )
        finish_s = np.array(json.loads(target.read_text()))
    return float(run.stdout.split()[-1]), finish_s
