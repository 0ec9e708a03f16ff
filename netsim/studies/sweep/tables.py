"""``study.json`` and ``study.parquet``: the cells of a study, and what they came to."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from netsim.results.format import target
from netsim.results.parquet import write_table
from netsim.scenario.units import base_unit
from netsim.studies.replay.bundle import replace
from netsim.studies.sweep.cell import Cell
from netsim.studies.sweep.conduct import Fate
from netsim.studies.sweep.paths import value_at
from netsim.studies.sweep.plan import Study
from netsim.studies.sweep.store import STUDY, Store

TABLE: Final = "study.parquet"
_FIGURES = {
    "final_accuracy": "DOUBLE",
    "best_accuracy": "DOUBLE",
    "final_metric": "DOUBLE",
    "best_metric": "DOUBLE",
    "distribution_time_s": "DOUBLE",
    "simulated_time_s": "DOUBLE",
    "seen_share": "DOUBLE",
    "best_round": "BIGINT",
    "best_round_validation_loss": "DOUBLE",
    "best_round_metric": "DOUBLE",
}
_BYTES = ("payload", "wire", "sent", "delivered", "lost", "upload_per_node", "download_per_node")


def write_study(study: Study, folder: Path) -> None:
    """``study.json``: what the cells are.  Raises ``ResultsError``."""
    cells = [
        {
            "id": cell.id,
            "training": cell.training,
            "label": cell.label,
            "protocol": cell.run.kind,
            "seed": cell.scenario.seed,
            "values": cell.values,
        }
        for cell in study.cells
    ]
    units = {path: _unit_of(study, path) for path in study.paths}
    content = {"name": study.name, "paths": study.paths, "units": units, "cells": cells}
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    replace(folder / STUDY, text.encode())


def _unit_of(study: Study, path: str) -> str | None:
    """The base unit of a path's numbers; None for plain ones and for texts."""
    for cell in study.cells:
        if isinstance(cell.values.get(path), float | int):
            plain = cell.scenario.model_dump(mode="json", by_alias=True)
            written = value_at(plain, tuple(path.split(".")))
            return base_unit(written) if isinstance(written, str) else None
    return None


def write_table_of(study: Study, store: Store, fates: Mapping[str, Fate]) -> None:
    """``study.parquet``: a row for each cell that has its fate.  Raises ``ResultsError``.

    Numbers are in base units (bit/s, s, bits, and bytes where the name says so); what a cell
    does not have is NULL.
    """
    types = _types(study)
    rows = [_row(cell, store, fates[cell.id]) for cell in study.cells if cell.id in fates]
    columns = {name: [_as(kind, row.get(name)) for row in rows] for name, kind in types.items()}
    part = store.folder / f".{TABLE}.part"
    write_table(part, columns, types)
    part.replace(store.folder / TABLE)


def _as(kind: str, value: Any) -> Any:
    """A value for a column of this type."""
    return str(value) if kind == "VARCHAR" and value is not None else value


def _types(study: Study) -> dict[str, str]:
    paths = {path: _type_of(study, path) for path in study.paths if path != "seed"}
    goals = sorted({goal for cell in study.cells for goal in cell.scenario.targets})
    return {
        **dict.fromkeys(("id", "label", "protocol"), "VARCHAR"),
        "seed": "BIGINT",
        **paths,
        **_FIGURES,
        **{f"{name}_bytes": "DOUBLE" for name in _BYTES},
        **{_goal(target(goal)): "DOUBLE" for goal in goals},
        **dict.fromkeys(("digest", "model_digest", "status", "failure"), "VARCHAR"),
    }


def _type_of(study: Study, path: str) -> str:
    """The narrowest type that holds all values of a path."""
    kinds = {type(cell.values.get(path)) for cell in study.cells} - {type(None)}
    if kinds <= {bool}:
        return "BOOLEAN"
    if kinds <= {int}:
        return "BIGINT"
    return "DOUBLE" if kinds <= {int, float} else "VARCHAR"


def _row(cell: Cell, store: Store, fate: Fate) -> dict[str, Any]:
    row: dict[str, Any] = {
        **cell.values,
        "id": cell.id,
        "label": cell.label,
        "protocol": cell.run.kind,
        "seed": cell.scenario.seed,
        "status": fate.status,
        "failure": fate.failure,
    }
    summary = store.summary(cell)
    return row if summary is None else row | _figures(summary)


def _figures(summary: Mapping[str, Any]) -> dict[str, Any]:
    names: Sequence[str] = ("final_accuracy", "best_accuracy", "simulated_time_s", "seen_share")
    best, metric = summary["best_round"] or {}, summary["metric"]["name"]
    return {
        **{name: summary[name] for name in (*names, "digest", "model_digest")},
        "best_round": best.get("round"),
        "best_round_validation_loss": best.get("validation_loss"),
        "best_round_metric": best.get(metric),
        **{f"{end}_metric": summary["metric"][end] for end in ("final", "best")},
        "distribution_time_s": summary["distribution_time_s"]["mean"],
        **{f"{name}_bytes": summary["bytes"][name] for name in _BYTES},
        **{_goal(name): time_s for name, time_s in summary["time_to_accuracy_s"].items()},
    }


def _goal(name: str) -> str:
    return f"time_to_{name}_s"
