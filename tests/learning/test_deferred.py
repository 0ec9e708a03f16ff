"""Deferred values are computed once and let go of what they came from."""

import weakref

import pytest

from netsim.wire.deferred import Deferred


def test_computes_once_and_only_when_asked() -> None:
    """The function runs at the first value() and never again."""
    calls: list[int] = []
    deferred = Deferred(lambda: calls.append(1) or len(calls))
    assert calls == []
    assert (deferred.value(), deferred.value(), calls) == (1, 1, [1])


def test_lets_go_of_its_function() -> None:
    """What the function held is freed once there is a value."""

    class Held:
        pass

    held = Held()
    gone = weakref.ref(held)
    deferred = Deferred(lambda held=held: str(held))
    del held
    assert gone() is not None
    deferred.value()
    assert gone() is None


def test_a_failure_is_not_kept() -> None:
    """A function that raises is tried again by the next call."""
    answers = iter([0, 2])
    deferred = Deferred(lambda: 1 / next(answers))
    with pytest.raises(ZeroDivisionError):
        deferred.value()
    assert deferred.value() == 0.5


def test_of_holds_the_value_itself() -> None:
    """Ready values are not copied, None included."""
    value = [1]
    assert Deferred.of(value).value() is value
    assert Deferred.of(None).value() is None
