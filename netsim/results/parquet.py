"""``rounds``, ``transfers``, ``links`` and ``nodes.parquet``, each for all runs, by DuckDB."""

import errno
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from netsim.results.explanation import Explanation, path_to_json
from netsim.results.format import as_bytes
from netsim.results.records import STATUSES, RoundRecord, RunResult

if TYPE_CHECKING:
    import duckdb


def write_transfers(path: Path, runs: Sequence[RunResult]) -> None:
    """Write every transfer of every run: ends, kind, bits, times and status; names as text."""
    connection = _connect()
    parts = []
    for i, run in enumerate(runs):
        columns = {name: getattr(run.transfers, name) for name in run.transfers.columns()}
        connection.register(f"transfers_{i}", columns)
        parts.append(_transfers_of(run, f"transfers_{i}"))
    _copy(connection, " UNION ALL ".join(parts), path)


def _transfers_of(run: RunResult, view: str) -> str:
    nodes = _texts(run.transfers.node_names)
    kinds = _texts([kind.name for kind in run.transfers.kinds])
    return f"""SELECT {_text(run.label)} AS run, {_text(run.protocol)} AS protocol, round,
        {nodes}[sender + 1] AS sender, {nodes}[receiver + 1] AS receiver,
        {kinds}[kind + 1] AS kind, {_texts(STATUSES)}[status + 1] AS status,
        payload_bits, wire_bits, carried_bits, sent_bits, start_s, end_s, sequence
        FROM {view}"""


def write_links(path: Path, runs: Sequence[RunResult]) -> None:
    """Write the bits of every link in every round, where there are any.

    ``utilisation`` is the bits ÷ (the link's rate × the round's length); NULL for
    a link without a rate.
    """
    connection = _connect()
    parts = []
    for i, run in enumerate(runs):
        columns = {name: each for name, each in vars(run.links).items() if name != "names"}
        columns["link"] = np.array(run.links.names, object)[run.links.link]
        connection.register(f"links_{i}", columns)
        parts.append(
            f"""SELECT {_text(run.label)} AS run, {_text(run.protocol)} AS protocol, round,
            link::VARCHAR AS link, bits, rate_bps,
            bits / nullif(rate_bps * length_s, 0) AS utilisation FROM links_{i}"""
        )
    _copy(connection, " UNION ALL ".join(parts), path)


def write_nodes(path: Path, runs: Sequence[RunResult]) -> None:
    """Write every node's access link, and of clients their class, if any, and their samples."""
    connection = _connect()
    parts = []
    for i, run in enumerate(runs):
        nodes, count = run.nodes, len(run.nodes.names)
        columns = {
            "node": np.array(nodes.names, object),
            "class": np.array([*nodes.classes, *[None] * (count - len(nodes.classes))], object),
            "uplink_bps": nodes.uplink_bps,
            "downlink_bps": nodes.downlink_bps,
            "latency_s": nodes.latency_s,
            "samples": np.array([*nodes.samples, *[-1] * (count - len(nodes.samples))], np.int64),
        }
        connection.register(f"nodes_{i}", columns)
        parts.append(
            f"""SELECT {_text(run.label)} AS run, {_text(run.protocol)} AS protocol,
            node::VARCHAR AS node, class::VARCHAR AS class, uplink_bps, downlink_bps, latency_s,
            nullif(samples, -1) AS samples FROM nodes_{i}"""
        )
    _copy(connection, " UNION ALL ".join(parts), path)


def write_rounds(path: Path, runs: Sequence[RunResult]) -> None:
    """Write every round of every run; what was not measured is NULL.

    ``critical_path`` holds the pieces of the round's critical path as JSON; ``path_…_s`` what
    the time of the path went into; ``bottleneck_…`` is its bottleneck (`Bottleneck`).  Each role
    of any run has the columns ``upload_bytes_ROLE`` and ``download_bytes_ROLE``, and each metric
    beside accuracy its own, with ``_min`` and ``_max`` over the nodes' models.
    """
    roles = sorted({role for run in runs for r in run.rounds for role in r.traffic.by_role})
    others = sorted({name for run in runs for r in run.rounds for name in r.metrics})
    rows = [_row(run, record, roles, others) for run in runs for record in run.rounds]
    bytes_of = {f"{way}_bytes_{role}": "DOUBLE" for role in roles for way in ("upload", "download")}
    metrics = dict.fromkeys((f"{name}{end}" for name in others for end in _SPREAD), "DOUBLE")
    types = _ROUND_TYPES | metrics | bytes_of | _WHY_TYPES
    write_table(path, {name: [row[name] for row in rows] for name in types}, types)


def write_table(path: Path, columns: Mapping[str, Sequence[Any]], types: Mapping[str, str]) -> None:
    """Write columns of equal length, each of its type of DuckDB; None is NULL."""
    selected = ", ".join(f"unnest(?::{kind}[]) AS {_name(name)}" for name, kind in types.items())
    _copy(_connect(), f"SELECT {selected}", path, [columns[name] for name in types])


_ROUND_TYPES = {
    "run": "VARCHAR",
    "protocol": "VARCHAR",
    "round": "BIGINT",
} | dict.fromkeys(
    (
        "start_s",
        "end_s",
        "distribution_s",
        "compute_s",
        "idle_s",
        "lr",
        "loss",
        "accuracy",
        "accuracy_min",
        "accuracy_max",
        "accuracy_std",
        "validation_loss",
        "validation_accuracy",
        "payload_bytes",
        "wire_bytes",
        "sent_bytes",
        "delivered_bytes",
        "lost_bytes",
        "seen_share",
    ),
    "DOUBLE",
)


_SPREAD = {"": "mean", "_min": "min", "_max": "max"}
"""Columns of a metric, by the end of their name."""

_WHY_TYPES = {
    "bottleneck_link": "VARCHAR",
    "bottleneck_utilisation": "DOUBLE",
    "bottleneck_s": "DOUBLE",
    "path_sending_s": "DOUBLE",
    "path_latency_s": "DOUBLE",
    "path_computing_s": "DOUBLE",
    "path_waiting_s": "DOUBLE",
    "critical_path": "VARCHAR",
}


def _row(
    run: RunResult, record: RoundRecord, roles: Sequence[str], others: Sequence[str]
) -> dict[str, Any]:
    traffic = record.traffic
    row: dict[str, Any] = {"run": run.label, "protocol": run.protocol, **vars(record)}
    row |= _why(record.why)
    for name in others:
        spread = record.metrics.get(name)
        row |= {f"{name}{end}": spread and getattr(spread, part) for end, part in _SPREAD.items()}
    for name in ("payload", "wire", "sent", "delivered", "lost"):
        row[f"{name}_bytes"] = as_bytes(getattr(traffic, f"{name}_bits"))
    for role in roles:
        part = traffic.by_role.get(role)
        row[f"upload_bytes_{role}"] = part and as_bytes(part.upload_bits)
        row[f"download_bytes_{role}"] = part and as_bytes(part.download_bits)
    return row


def _why(why: Explanation | None) -> dict[str, Any]:
    parts = ("sending_s", "latency_s", "computing_s", "waiting_s")
    bottleneck = why and why.bottleneck
    return {
        "critical_path": why and path_to_json(why.path),
        "bottleneck_link": bottleneck and bottleneck.link,
        "bottleneck_utilisation": bottleneck and bottleneck.utilisation,
        "bottleneck_s": bottleneck and bottleneck.time_s,
        **{f"path_{part}": why and getattr(why, part) for part in parts},
    }


def _connect() -> "duckdb.DuckDBPyConnection":
    """A connection of its own to the process's database."""
    return _database().cursor()


@cache
def _database() -> "duckdb.DuckDBPyConnection":
    """A database in memory; opening one takes longer than writing most files."""
    import duckdb

    # One thread, so that the bytes of a file depend on its rows alone.
    return duckdb.connect(config={"threads": 1})


def _copy(
    connection: "duckdb.DuckDBPyConnection", query: str, path: Path, given: Sequence[Any] = ()
) -> None:
    """Write what a query gives and close the connection; raises ``OSError``."""
    import duckdb

    try:
        copy = f"COPY ({query}) TO {_text(str(path))} (FORMAT parquet, CODEC zstd)"
        connection.execute(copy, given)
    except duckdb.IOException as error:
        raise OSError(_number(str(error)), str(error).splitlines()[0]) from error
    finally:
        connection.close()


def _number(message: str) -> int:
    """The error number in a message of DuckDB's, which has no other place for it."""
    return errno.ENOSPC if "No space left" in message else errno.EIO


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _texts(values: Sequence[str]) -> str:
    return "([" + ", ".join(map(_text, values)) + "]::VARCHAR[])"


def _name(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'
