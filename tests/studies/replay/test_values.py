"""Values of a run as JSON and arrays."""

import json

import numpy as np
import pytest

from netsim.studies.replay.values import Packer, unpack
from netsim.wire.chunk import Chunk
from netsim.wire.sparse import Sparse


def turned(value):
    """Packed, through JSON, and unpacked."""
    packer = Packer()
    packed = json.loads(json.dumps(packer.pack(value)))
    return unpack(packed, packer.arrays)


def test_everything_a_run_makes_comes_back():
    """Numbers, tuples in lists, dataclasses with arrays in them, and views of arrays."""
    whole = np.arange(10, dtype=np.float32)
    sparse = Sparse(10, np.array([1, 4]), whole[[1, 4]], seed=2**63)
    value = ([1, 2.5, None, True, "x"], (whole[::2], ()), Chunk(3, whole), sparse)
    plain, (view, empty), chunk, back = turned(value)
    assert plain == [1, 2.5, None, True, "x"]
    assert (view.tolist(), empty) == (whole[::2].tolist(), ())
    assert isinstance(chunk, Chunk)
    assert (chunk.index, chunk.values_n.tolist()) == (3, whole.tolist())
    assert (back.n, back.seed, back.indices_k.tolist()) == (10, 2**63, [1, 4])


def test_an_array_that_comes_up_twice_is_kept_once():
    """And two equal ones twice."""
    packer, array = Packer(), np.zeros(3)
    packer.pack((array, [array], array.copy()))
    assert len(packer.arrays) == 2


def test_what_cannot_be_kept_is_named():
    """Rather than lost."""
    with pytest.raises(TypeError, match="a set cannot be kept in a checkpoint"):
        Packer().pack({1})


def test_classes_of_others_are_not_made():
    """A file names none but netsim's."""
    with pytest.raises(AssertionError, match="subprocess"):
        unpack({"class": ["subprocess", "Popen"], "fields": {}}, {})
