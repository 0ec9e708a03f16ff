"""``summary.json``: what each run came to."""

import json
import math
from collections.abc import Sequence
from typing import Any

from netsim.results.figures import run_figures
from netsim.results.format import as_bytes, target
from netsim.results.records import RoundRecord, RunResult, Traffic


def summary(scenario_name: str, seed: int, runs: Sequence[RunResult]) -> dict[str, Any]:
    """The contents of ``summary.json``, JSON values only."""
    return {"scenario": scenario_name, "seed": seed, "runs": [_run(run) for run in runs]}


def to_json(value: Any) -> str:
    """JSON text with an end of line.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _run(run: RunResult) -> dict[str, Any]:
    figures = run_figures(run)
    per_node = {
        "upload_per_node": figures.upload_per_node_bytes,
        "upload_per_node_max": figures.upload_per_node_max_bytes,
        "download_per_node": figures.download_per_node_bytes,
        "download_per_node_max": figures.download_per_node_max_bytes,
        "local_messages": figures.local_messages,
    }
    return {
        "label": run.label,
        "protocol": run.protocol,
        "params": _finite(dict(run.params)),
        "rounds": len(run.rounds),
        "final_accuracy": figures.final_accuracy,
        "best_accuracy": figures.best_accuracy,
        "metric": {
            "name": run.metric.name,
            "final": figures.final_metric,
            "best": figures.best_metric,
        },
        "final_metrics": figures.final_metrics,
        "best_round": _best_round(figures.best_round, run),
        "simulated_time_s": figures.simulated_time_s,
        "distribution_time_s": vars(figures.distribution_s),
        "bytes": _bytes(figures.traffic) | per_node,
        "bytes_by_role": _bytes_by_role(figures.traffic),
        "clients_without_samples": run.nodes.without_samples,
        "messages": figures.messages,
        "aborted_messages": figures.aborted_messages,
        "time_to_accuracy_s": {target(t): s for t, s in figures.time_to_accuracy_s.items()},
        "seen_share": figures.seen_share,
        "bound": None if run.bound is None else vars(run.bound),
        "digest": run.digest,
        "model_digest": run.model_digest,
        "status": run.status,
    }


def _best_round(record: RoundRecord | None, run: RunResult) -> dict[str, Any] | None:
    """The round of least validation loss, and what was measured in it."""
    if record is None:
        return None
    return {
        "round": record.round,
        "validation_loss": record.validation_loss,
        "validation_accuracy": record.validation_accuracy,
        "accuracy": record.accuracy,
        run.metric.name: record.value(run.metric),
    }


def _bytes(traffic: Traffic) -> dict[str, float]:
    return {
        "payload": as_bytes(traffic.payload_bits),
        "wire": as_bytes(traffic.wire_bits),
        "sent": as_bytes(traffic.sent_bits),
        "delivered": as_bytes(traffic.delivered_bits),
        "lost": as_bytes(traffic.lost_bits),
    }


def _bytes_by_role(traffic: Traffic) -> dict[str, dict[str, float]]:
    return {
        role: {"upload": as_bytes(part.upload_bits), "download": as_bytes(part.download_bits)}
        for role, part in traffic.by_role.items()
    }


def _finite(value: Any) -> Any:
    """Parameters may be infinite (an unlimited rate); JSON writes them as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
