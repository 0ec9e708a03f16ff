"""``manifest.json``: what a result was made from, with which versions, on what machine."""

import hashlib
import os
import platform
import sys
from typing import Any

import netsim


def build_manifest(resolved_yaml: str, seed: int, wall_time_s: float) -> dict[str, Any]:
    """The manifest of a result made from this scenario; torch's version only if it was used."""
    return {
        "scenario_sha256": hashlib.sha256(resolved_yaml.encode()).hexdigest(),
        "seed": seed,
        "versions": _versions(),
        "machine": {
            "platform": platform.platform(),
            "cpu": _cpu(),
            "cores": os.cpu_count(),
        },
        "wall_time_s": wall_time_s,
    }


def _versions() -> dict[str, str]:
    modules = {name: sys.modules[name] for name in ("numpy", "torch") if name in sys.modules}
    return {
        "netsim": netsim.__version__,
        "python": platform.python_version(),
        **{name: str(module.__version__) for name, module in modules.items()},
    }


def _cpu() -> str:
    """The processor's name where the system tells it, else its architecture."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [
                line.partition(":")[2].strip() for line in file if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
