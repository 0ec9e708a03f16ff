"""Volume tasks have sizes and no values."""

import weakref

import pytest

from netsim.learning.errors import NoValues
from netsim.learning.volume import VolumeTask


def test_sizes_are_there() -> None:
    """Parameters and clients, each of which takes part; 1.3 billion cost no memory."""
    task = VolumeTask(1_300_000_000, 5)
    assert (task.n, task.clients, task.samples.tolist()) == (1_300_000_000, 5, [1] * 5)
    assert task.values is False


def test_values_are_not() -> None:
    """Whoever asks for one learns whose fault it is."""
    task = VolumeTask(10, 2)
    for value in (task.initial, task.update(0, task.initial, 0), task.defer(lambda: 1)):
        with pytest.raises(NoValues, match="no values"):
            value.value()
    with pytest.raises(NoValues):
        task.evaluate([task.initial])


def test_functions_are_not_kept() -> None:
    """A run without values holds nothing of its rounds."""

    class Held:
        pass

    held, task = Held(), VolumeTask(10, 2)
    gone = weakref.ref(held)
    deferred = task.defer(lambda held=held: held)
    del held
    assert gone() is None
    assert deferred is not None
