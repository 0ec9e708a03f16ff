"""The digest sees what was sent and nothing else."""

import dataclasses
import hashlib
import struct

import numpy as np
import pytest

from netsim.results.digest import log_digest, model_digest, run_digest
from netsim.results.records import ABORTED, Kind


@pytest.fixture(scope="module")
def log(make_run):
    """Transfers of a small run."""
    return make_run().transfers


def _changed(log, column, value, row=1):
    values = getattr(log, column).copy()
    assert values[row] != value
    values[row] = value
    return dataclasses.replace(log, **{column: values})


def test_times_do_not_enter(log):
    """The same messages over links ten times slower have the same digest."""
    slower = dataclasses.replace(log, start_s=log.start_s * 10, end_s=log.end_s * 10)
    assert log_digest(slower) == log_digest(log)


def test_the_order_of_rows_does_not_enter(log):
    """Nor does the order in which transfers were recorded."""
    order = np.random.default_rng(0).permutation(len(log))
    assert log_digest(log.select(order)) == log_digest(log)


def test_the_numbering_of_kinds_does_not_enter(log):
    """A kind is its name, not its place in a table; its roles are no part of the message."""
    swapped = dataclasses.replace(
        log, kind=1 - log.kind, kinds=(Kind("model", "a", "b"), Kind("shard", "c", "d"))
    )
    assert log_digest(swapped) == log_digest(log)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("round", 5),
        ("sender", 3),
        ("receiver", 3),
        ("kind", 1),
        ("sequence", 9),
        ("payload_bits", 1),
        ("wire_bits", 1),
    ],
)
def test_every_other_column_enters(log, column, value):
    """One changed number in one row changes the digest."""
    assert log_digest(_changed(log, column, value)) != log_digest(log)


def test_sent_and_carried_bits_and_status_enter(log):
    """An abort after another bit, another size on the link, a delivery turned into an abort."""
    aborted = int(np.flatnonzero(log.status == ABORTED)[0])
    digests = {
        log_digest(log),
        log_digest(_changed(log, "sent_bits", 7, aborted)),
        log_digest(_changed(log, "carried_bits", 8_000_001, aborted)),
        log_digest(_changed(log, "status", ABORTED)),
    }
    assert len(digests) == 4


def test_the_name_of_a_kind_enters(log):
    """Two protocols that send the same sizes under other names differ."""
    renamed = (Kind("chunk", "client", "aggregator"), log.kinds[1])
    assert log_digest(dataclasses.replace(log, kinds=renamed)) != log_digest(log)


def test_model_digest_sees_every_bit_but_no_shapes():
    """A vector and the same numbers as tensors agree; a sign of zero does not."""
    flat = np.arange(6, dtype=np.float32)
    assert model_digest([flat[:2], flat[2:].reshape(2, 2)]) == model_digest([flat])
    assert model_digest([flat[::-1]]) == model_digest([flat[::-1].copy()])
    negative = flat.copy()
    negative[0] = -0.0
    assert model_digest([negative]) != model_digest([flat])
    with pytest.raises(AssertionError, match="float64"):
        model_digest([np.zeros(1)])


def test_run_digest_covers_log_and_model(log):
    """Either changes it; without a model it is the log's."""
    other = _changed(log, "wire_bits", 1)
    digests = {run_digest(log, "a"), run_digest(log, "b"), run_digest(other, "a")}
    assert len(digests) == 3
    assert run_digest(log, None) == log_digest(log)


def test_digest_of_an_empty_log_exists(table):
    """A run that sent nothing still has one."""
    assert len(log_digest(table(round=[]))) == 64


def test_the_chain_written_out(log):
    """The same digest, record by record: sort, pack as integers, hash round after round."""
    records = []
    for i in range(len(log)):
        name = hashlib.sha256(log.kinds[log.kind[i]].name.encode()).digest()[:8]
        key = (log.round[i], int.from_bytes(name, "little", signed=True), log.sender[i])
        key += (log.receiver[i], log.sequence[i], log.payload_bits[i], log.wire_bits[i])
        records.append((*key, log.carried_bits[i], log.sent_bits[i], log.status[i]))
    head = b""
    for number in range(3):
        part = sorted(record for record in records if record[0] == number)
        head = hashlib.sha256(head + b"".join(struct.pack("<10q", *r) for r in part)).digest()
    assert log_digest(log) == head.hex()
