"""Deferred values are numbered as they are made, and given back by their numbers."""

import gc

import pytest

from netsim.wire.deferred import Deferred
from netsim.wire.register import Absent, Register, registered


def made(register):
    """A value, one made of it whose computing makes another, one that is there, and one more."""
    with registered(register):
        first = Deferred(lambda: 1)
        inner = Deferred(lambda: Deferred(first.value).value() + 1)
        ready = Deferred.of(3)
        last = Deferred(lambda: inner.value() + ready.value())
    return first, inner, ready, last


def test_values_are_numbered_in_the_order_they_are_made():
    """Those that computing makes are not, whenever it happens."""
    register = Register()
    values = made(register)
    with registered(register):
        assert values[1].value() == 2
    assert register.count == 4
    assert register.alive() == [*enumerate(values)]


def test_only_values_that_can_still_be_read_are_alive():
    """What a value was computed from is let go."""
    register = Register()
    *_, last = made(register)
    assert len(register.alive()) == 4
    with registered(register):
        assert last.value() == 5
    del _
    gc.collect()
    assert [number for number, _ in register.alive()] == [3]


def test_what_is_stored_comes_back_and_the_rest_is_absent():
    """Up to the number known; later values are computed, from stored ones where they need them."""
    register = Register(known=3, stored={1: 20})
    first, inner, ready, last = made(register)
    with pytest.raises(Absent):
        first.value()
    assert (inner.value(), ready.value(), last.value()) == (20, 3, 23)


def test_it_replays_until_it_has_made_what_was_known():
    """Exactly so many."""
    register, replaying = Register(known=2), []
    with registered(register):
        for _ in range(3):
            replaying.append(register.replaying)
            Deferred(int)
    assert replaying == [True, True, False]


def test_without_a_register_nothing_is_numbered():
    """Nor once the run is over."""
    register = Register()
    with registered(register):
        Deferred(int)
    assert Deferred(lambda: 7).value() == 7
    assert register.count == 1


def test_a_failure_leaves_the_register_as_it_was():
    """What is made after a computation failed has its number."""
    register = Register()
    with registered(register):
        with pytest.raises(ZeroDivisionError):
            Deferred(lambda: 1 / 0).value()
        Deferred(int)
    assert register.count == 2


def test_settling_computes_what_there_is():
    """A value, now; nothing where it is absent; what else goes wrong passes through."""
    register = Register(known=1)
    with registered(register):
        absent, there, broken = Deferred(int), Deferred(lambda: [5]), Deferred(lambda: 1 / 0)
        absent.settle()
        there.settle()
        with pytest.raises(ZeroDivisionError):
            broken.settle()
    assert there.value() is there.value()
    with pytest.raises(Absent):
        absent.value()
