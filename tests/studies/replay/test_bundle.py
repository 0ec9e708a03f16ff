"""Files of arrays and JSON are whole or not there."""

import errno
import os

import numpy as np
import pytest

from netsim.results.errors import ResultsError
from netsim.studies.replay.bundle import Bundle, BundleDamaged, load, save

VALUES = {"a": [1, 0.1, None, "ü"], "b": {"c": True}}
ARRAYS = {
    "x": np.arange(6, dtype=np.float32).reshape(2, 3),
    "nothing": np.zeros((0, 2), np.int64),
    "point": np.array(7, np.int64),
    "flags": np.array([True, False]),
}


@pytest.fixture
def saved(tmp_path):
    save(tmp_path / "in" / "here", Bundle(VALUES, ARRAYS))
    return tmp_path / "in" / "here"


def test_what_was_saved_is_loaded(saved):
    """To the bit, shapes and types included, from a folder made for it; nothing else is left."""
    values, arrays = load(saved)
    assert values == VALUES
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert (arrays[name].dtype, arrays[name].shape) == (array.dtype, array.shape)
        assert arrays[name].tobytes() == array.tobytes()
    assert [path.name for path in saved.parent.iterdir()] == ["here"]


def test_a_torn_or_changed_file_is_seen(saved):
    """Wherever it is cut, and whichever of its bytes is another."""
    whole = saved.read_bytes()
    for length in range(0, len(whole), 7):
        saved.write_bytes(whole[:length])
        with pytest.raises(BundleDamaged):
            load(saved)
    for at in range(0, len(whole), 5):
        changed = bytearray(whole)
        changed[at] ^= 1
        saved.write_bytes(changed)
        try:
            found = load(saved)
        except BundleDamaged:
            continue
        assert found.values == VALUES, at
        assert all(np.array_equal(found.arrays[name], ARRAYS[name]) for name in ARRAYS), at


@pytest.mark.parametrize(
    ("number", "text"), [(errno.ENOSPC, "the disk is full"), (errno.EIO, "Input/output error")]
)
def test_a_disk_that_fails_leaves_what_was_there(saved, monkeypatch, number, text):
    """Full ones are told apart; no part of the new file stays."""

    def broken(_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("netsim.studies.replay.bundle.os.fsync", broken)
    with pytest.raises(ResultsError, match=rf"cannot write .*here: {text}"):
        save(saved, Bundle({}, {}))
    assert load(saved).values == VALUES
    assert [path.name for path in saved.parent.iterdir()] == ["here"]
