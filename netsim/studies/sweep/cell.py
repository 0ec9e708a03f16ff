"""One cell of a study: one run of one scenario."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from netsim.network.faults.config import Failures
from netsim.protocols.base import ProtocolConfig
from netsim.studies.scenario import Scenario
from netsim.studies.sweep.sources import sources

Value = int | float | str | bool | None
_LENGTH = 16


@dataclass(frozen=True)
class Cell:
    """``scenario`` has one run.  ``values`` are the swept fields that matter to it, in base
    units (bit/s, s, bits); ``training`` is the same for cells that train alike, and None for
    one that trains by itself or has nothing to train."""

    scenario: Scenario
    label: str
    values: Mapping[str, Value]
    id: str
    training: str | None

    @property
    def run(self) -> ProtocolConfig:
        """Its protocol."""
        return self.scenario.runs[0]


def cell_id(scenario: Scenario) -> str:
    """The hash of all that can change a result, contents of files among it: names and labels
    cannot."""
    return _hash(_plain(scenario))


def training_key(scenario: Scenario) -> str | None:
    """The same for scenarios that differ in nothing that can change what is trained.

    Rates, latencies, how links are shared, transport and computing change times alone, as long
    as rounds end together, nothing fails or is late, and models are tested by rounds.
    """
    if scenario.task is None or scenario.barrier == "none" or scenario.failures != Failures():
        return None
    if scenario.evaluate.interval is not None:
        return None
    plain = _plain(scenario)
    plain["network"] = {"nodes": scenario.network.nodes}
    for name in ("compute", "barrier", "patience", "targets"):
        del plain[name]
    return _hash(plain)


def _plain(scenario: Scenario) -> dict[str, Any]:
    plain = scenario.model_dump(mode="json", by_alias=True, exclude={"name": True})
    (run,) = plain["runs"]
    del run["label"]
    return {name: _read(each, name) for name, each in plain.items()}


def _read(value: Any, key: str = "") -> Any:
    """A part of a scenario, with the hash of each file that it names."""
    if isinstance(value, dict):
        return {name: _read(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_read(each) for each in value]
    hashes = [_digest(path) for path in _files(key, value)] if isinstance(value, str) else []
    return [value, *hashes] if hashes else value


def _files(key: str, value: str) -> list[Path]:
    """Where the value of a field is a file, or a module in the current folder, what it is made
    of."""
    if key == "module":
        return sources(value.split(":")[0])
    path = Path(value)
    return [path] if key in ("file", "path") and path.is_file() else []


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _hash(plain: dict[str, Any]) -> str:
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]
