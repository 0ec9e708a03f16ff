"""The Parquet files, read back by DuckDB."""

import dataclasses

import duckdb
import pytest

from netsim.results.critical import Span
from netsim.results.explanation import path_from_json
from netsim.results.links import link_use
from netsim.results.parquet import write_links, write_nodes, write_rounds, write_transfers
from netsim.results.records import RoleTraffic, Traffic


def _read(path):
    result = duckdb.sql(f"SELECT * FROM '{path}'")
    return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]


def test_transfers_come_back_as_they_went(tmp_path, make_run, volume_run):
    """All runs in one file, in their order, with names as text."""
    run = make_run("it's eris")
    write_transfers(tmp_path / "transfers.parquet", [run, volume_run])
    rows = _read(tmp_path / "transfers.parquet")
    assert len(rows) == len(run.transfers) + len(volume_run.transfers)
    assert [row["run"] for row in rows] == ["it's eris"] * 96 + ["volume"] * 96
    aborted = [row for row in rows[:96] if row["status"] == "aborted"]
    assert aborted == [
        {
            "run": "it's eris",
            "protocol": "eris",
            "round": 1,
            "sender": "node 0",
            "receiver": "node 1",
            "kind": "shard",
            "status": "aborted",
            "payload_bits": 8_000_000 - 32,
            "wire_bits": 8_000_000,
            "carried_bits": 8_000_000,
            "sent_bits": 4_000_000,
            "start_s": 1.0,
            "end_s": pytest.approx(1.38),
            "sequence": 2,
        }
    ]
    for name in ("round", "sent_bits", "start_s", "end_s"):
        assert [row[name] for row in rows[:96]] == getattr(run.transfers, name).tolist()


def test_nodes_come_back_with_nulls(tmp_path, make_run, volume_run, held):
    """A server has no class and no samples, and in a volume nobody has."""
    made = [
        make_run(nodes=held(3, 0, classes=("it's slow", "fast"))),
        dataclasses.replace(volume_run, nodes=held()),
    ]
    write_nodes(tmp_path / "nodes.parquet", made)
    link = {"uplink_bps": 20e6, "downlink_bps": 40e6, "latency_s": 0.01}
    rows = _read(tmp_path / "nodes.parquet")
    assert [(row["run"], row["node"], row["class"], row["samples"]) for row in rows] == [
        ("eris (A=4)", "node 0", "it's slow", 3),
        ("eris (A=4)", "node 1", "fast", 0),
        ("eris (A=4)", "server", None, None),
        ("volume", "server", None, None),
    ]
    assert all({name: row[name] for name in link} == link for row in rows)


def test_rounds_come_back_with_nulls(tmp_path, make_run, volume_run):
    """What was not measured is NULL, also the bytes of roles that a run does not have."""
    run = make_run()
    write_rounds(tmp_path / "rounds.parquet", [run, volume_run])
    rows = _read(tmp_path / "rounds.parquet")
    assert [(row["run"], row["round"]) for row in rows] == [
        (label, i) for label in ("eris (A=4)", "volume") for i in range(3)
    ]
    first, last = rows[0], rows[-1]
    assert first["accuracy"] == run.rounds[0].accuracy
    assert (first["start_s"], first["end_s"], first["sent_bytes"]) == (0.0, 1.0, 24e6)
    assert (rows[1]["lost_bytes"], rows[1]["delivered_bytes"]) == (0.5e6, 23e6)
    assert rows[1]["upload_bytes_client"] == 11.5e6
    assert rows[1]["download_bytes_client"] == 12e6
    assert [last[n] for n in ("distribution_s", "loss", "accuracy", "accuracy_min")] == [None] * 4


def test_runs_with_other_roles(tmp_path, make_run):
    """A role that only one run has is a column that is NULL elsewhere."""
    peers = dataclasses.replace(
        make_run().rounds[0], traffic=Traffic(by_role={"peer": RoleTraffic(12, 20)})
    )
    write_rounds(
        tmp_path / "r.parquet",
        [make_run(), dataclasses.replace(make_run("gossip"), rounds=(peers,))],
    )
    rows = _read(tmp_path / "r.parquet")
    assert [row["upload_bytes_peer"] for row in rows] == [None, None, None, 1.5]
    assert rows[-1]["download_bytes_peer"] == 2.5
    assert rows[-1]["upload_bytes_client"] is None
    types = dict(row[:2] for row in _describe(tmp_path / "r.parquet"))
    assert (types["run"], types["round"], types["loss"]) == ("VARCHAR", "BIGINT", "DOUBLE")


def _describe(path):
    return duckdb.sql(f"DESCRIBE SELECT * FROM '{path}'").fetchall()


def test_why_a_round_took_its_time(tmp_path, make_run, explained_run):
    """The path as JSON, its sums and its bottleneck; NULL where nothing is known."""
    run = explained_run()
    write_rounds(tmp_path / "rounds.parquet", [run, make_run(rounds=1)])
    _, row, unknown = _read(tmp_path / "rounds.parquet")
    assert path_from_json(row["critical_path"]) == run.rounds[1].why.path
    assert row["bottleneck_link"] == "uplink of node 1"
    assert (row["bottleneck_utilisation"], row["bottleneck_s"]) == (pytest.approx(1 / 3), 3)
    sums = [row[f"path_{part}_s"] for part in ("sending", "latency", "computing", "waiting")]
    assert sums == [3.5, 1, 1, 0]
    names = ("critical_path", "bottleneck_link", "bottleneck_s", "path_sending_s")
    assert [unknown[name] for name in names] == [None] * 4


def test_links_come_back(tmp_path, explained_run, volume_run, story):
    """A row a run, round and link; a link without a rate at the start has no utilisation."""
    net = story(uplink=["0 bit/s", "8 Mbit/s", "8 Mbit/s"])
    sent = net.transfers([(0, 1, "a", 800, 0, 2)])
    late = dataclasses.replace(volume_run, links=link_use(sent, net.topology, [Span(0, 0.0, 2.0)]))
    write_links(tmp_path / "links.parquet", [explained_run("it's"), late])
    rows = _read(tmp_path / "links.parquet")
    assert len(rows) == 8 + 2
    assert rows[4] == {
        "run": "it's",
        "protocol": "fedavg",
        "round": 1,
        "link": "uplink of node 1",
        "bits": 8_000_000,
        "rate_bps": 8e6,
        "utilisation": 1 / 5.5,
    }
    assert [row["utilisation"] for row in rows[8:]] == [None, 800 / 16e6]


def test_empty_tables_keep_their_columns(tmp_path, make_run, table):
    """A run that failed at once leaves files that can be queried."""
    empty = make_run(rounds=0, transfers=table(round=[]), failure="deadlock")
    write_rounds(tmp_path / "rounds.parquet", [empty])
    write_transfers(tmp_path / "transfers.parquet", [empty])
    write_links(tmp_path / "links.parquet", [empty])
    assert _read(tmp_path / "links.parquet") == []
    assert _read(tmp_path / "rounds.parquet") == _read(tmp_path / "transfers.parquet") == []
    assert "accuracy" in [name for name, *_ in _describe(tmp_path / "rounds.parquet")]
    assert "kind" in [name for name, *_ in _describe(tmp_path / "transfers.parquet")]


def test_the_same_rows_make_the_same_bytes(tmp_path, make_run):
    """Files of equal runs can be compared with cmp."""
    for name in ("a", "b"):
        write_transfers(tmp_path / name, [make_run()])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
