"""Records refuse what would make every later figure wrong."""

import numpy as np
import pytest

from netsim.results.records import (
    ABORTED,
    DELIVERED,
    LOCAL,
    STATUSES,
    RoundRecord,
    Traffic,
    Transfers,
)


def test_columns_are_converted_and_rows_selected(table):
    """Lists become arrays of the documented types; a selection keeps the asked order."""
    rows = table(round=[0, 1, 2], sender=[0, 1, 2], receiver=[1, 2, 0])
    assert rows.round.dtype == np.int64
    assert rows.kind.dtype == np.int16
    assert rows.select(np.array([2, 0])).sender.tolist() == [2, 0]
    assert len(rows.select(rows.round > 0)) == 2


def test_no_transfers_at_all():
    """An empty table has every column."""
    empty = Transfers.empty(("a", "b"))
    assert len(empty) == 0
    assert empty.end_s.dtype == np.float64


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"sent_bits": [799]}, "delivered in part"),
        ({"sent_bits": [801], "status": [ABORTED]}, "more than carried"),
        ({"sent_bits": [1], "status": [LOCAL]}, "more than carried"),
        ({"sent_bits": [-1], "status": [ABORTED]}, "more than carried"),
        ({"end_s": [-1.0]}, "ends before"),
        ({"end_s": [float("nan")]}, "without an end"),
        ({"sender": [3]}, "sender outside"),
        ({"status": [len(STATUSES)], "sent_bits": [0]}, "status outside"),
    ],
)
def test_impossible_transfers_are_refused(table, columns, reason):
    """Bits and times that cannot be, and codes without a name."""
    with pytest.raises(AssertionError, match=reason):
        table(**({"round": [0], "status": [DELIVERED], "carried_bits": [800]} | columns))


def test_a_loss_that_is_no_number_does_not_travel():
    """A diverged loss must be recorded as None by whoever measured it."""
    with pytest.raises(AssertionError, match="round 3: loss is nan"):
        RoundRecord(3, 0.0, 1.0, 1.0, 0.0, 0.0, Traffic(), loss=float("nan"))


def test_status_of_a_run(make_run):
    """A failure stands in the status with its reason."""
    assert make_run().status == "complete"
    assert make_run(failure="node 3 waits").status == "failed: node 3 waits"
