"""Bench cases, each in a process of its own."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import TypeVar

from netsim.studies.bench.measured import Measured
from netsim.studies.bench.trained import Trained

T = TypeVar("T", Measured, Trained)


def measure(module: str, names: list[str], row: type[T]) -> Iterator[T]:
    """Run cases of a module one after the other, each in a fresh process."""
    for name in names:
        ran = subprocess.run(
            [sys.executable, "-m", module, name], capture_output=True, text=True, check=False
        )
        if ran.returncode != 0:
            raise RuntimeError(f"bench case {name} failed:\n{ran.stderr}")
        yield row(**json.loads(ran.stdout))


def main(cases: Mapping[str, Callable[[str], T]]) -> None:
    """The other end: run the case that the command line names and print its row."""
    print(json.dumps(asdict(cases[sys.argv[1]](sys.argv[1]))))


def peak_memory() -> int:
    """Bytes this process had in memory at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
