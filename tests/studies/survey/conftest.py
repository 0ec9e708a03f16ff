"""A small study on disk, made by hand, so that what it shows is known."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from netsim.results.parquet import write_table

Rows = Sequence[Mapping[str, Any]]
MakeStudy = Callable[[Rows], Path]

TYPES = {
    **dict.fromkeys(("id", "label", "protocol"), "VARCHAR"),
    "seed": "BIGINT",
    **dict.fromkeys(("network.uplink", "network.downlink", "network.latency"), "DOUBLE"),
    **dict.fromkeys(("final_accuracy", "distribution_time_s", "simulated_time_s"), "DOUBLE"),
    **dict.fromkeys(("seen_share", "sent_bytes", "time_to_0.50_s", "time_to_0.90_s"), "DOUBLE"),
    **dict.fromkeys(("status", "failure"), "VARCHAR"),
}


def row(label: str, uplink_bps: float, time_s: float | None, **more: Any) -> dict[str, Any]:
    """A cell; what is not given is plain."""
    found = {
        "id": f"{label}/{uplink_bps}/{more.get('seed', 1)}/{more.get('network.latency', 0.001)}",
        "label": label,
        "protocol": label.split()[0],
        "seed": 1,
        "network.uplink": uplink_bps,
        "network.downlink": uplink_bps,
        "network.latency": 0.001,
        "final_accuracy": 0.9,
        "distribution_time_s": time_s,
        "simulated_time_s": time_s,
        "sent_bytes": 1e6,
        "time_to_0.50_s": time_s,
        "status": "trained",
    }
    return found | more


@pytest.fixture
def make_study(tmp_path: Path) -> MakeStudy:
    """Writes a study of these cells."""

    def make(rows: Rows) -> Path:
        paths = ["network.uplink", "network.downlink", "network.latency", "seed"]
        units = dict(zip(paths, ("bit/s", "bit/s", "s", None), strict=True))
        head = {"name": "known", "paths": paths, "units": units, "cells": []}
        folder = tmp_path / "study"
        folder.mkdir()
        (folder / "study.json").write_text(json.dumps(head))
        columns = {name: [each.get(name) for each in rows] for name in TYPES}
        write_table(folder / "study.parquet", columns, TYPES)
        return folder

    return make
