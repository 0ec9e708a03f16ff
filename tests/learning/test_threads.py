"""One thread inside torch's operations, several side by side."""

import itertools
import threading
from collections.abc import Iterator

import pytest
import torch
from threadpoolctl import ThreadpoolController

from netsim.learning.threads import one_thread, side_by_side


@pytest.fixture
def threads() -> Iterator[None]:
    """Torch has three threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def names(count: int) -> tuple[set[str], set[int]]:
    """The threads that ``count`` computations ran on, and how many torch had in each."""
    met = threading.Barrier(count)
    found = []

    def work() -> None:
        met.wait(timeout=20)
        found.append((threading.current_thread().name, torch.get_num_threads()))

    with one_thread():
        side_by_side([work] * count)
    return {name for name, _ in found}, {inside for _, inside in found}


@pytest.mark.usefixtures("threads")
def test_as_many_side_by_side_as_torch_has() -> None:
    """Three wait for each other and get on; inside each torch has one thread."""
    who, inside = names(3)
    assert (len(who), inside) == (3, {1})
    assert torch.get_num_threads() == 3


@pytest.mark.usefixtures("threads")
def test_a_single_computation_needs_no_other_thread() -> None:
    """Nor do those outside of ``one_thread``."""
    assert names(1) == ({"MainThread"}, {1})
    done = []
    side_by_side([lambda: done.append(threading.current_thread().name)] * 5)
    assert done == ["MainThread"] * 5


def test_with_one_thread_work_is_done_in_order() -> None:
    """In the thread that asks."""
    before, done = torch.get_num_threads(), []
    torch.set_num_threads(1)
    with one_thread():
        side_by_side([lambda n=n: done.append(n) for n in range(9)])
    torch.set_num_threads(before)
    assert done == list(range(9))


@pytest.mark.usefixtures("threads")
def test_whoever_is_free_does_what_is_next() -> None:
    """One waits until all the others are done, by the two other threads."""
    last, turn, done = threading.Barrier(3), itertools.count(1), []

    def slow() -> None:
        last.wait(timeout=20)

    def quick() -> None:
        if next(turn) >= 9:
            last.wait(timeout=20)
        done.append(threading.current_thread().name)

    with one_thread():
        side_by_side([slow] + [quick] * 10)
    assert len(done) == 10


@pytest.mark.usefixtures("threads")
def test_work_within_work_stays_on_its_thread() -> None:
    """So nobody waits for a thread that waits for another."""
    within = []

    def work() -> None:
        inner: list[str] = []
        side_by_side([lambda: inner.append(threading.current_thread().name)] * 4)
        within.append((threading.current_thread().name, inner))

    with one_thread():
        side_by_side([work] * 6)
        assert len(within) == 6
        assert all(inner == [own] * 4 for own, inner in within)
    assert len(names(3)[0]) == 3


@pytest.mark.usefixtures("threads")
def test_the_first_failure_is_raised() -> None:
    """In the order of the work."""

    def fail(text: str) -> None:
        raise ValueError(text)

    with one_thread(), pytest.raises(ValueError, match="second"):
        side_by_side([lambda: None, lambda: fail("second"), lambda: fail("third")])


def test_numpy_multiplies_on_one_thread_too() -> None:
    """As long as inside, then on as many as before."""

    def threads() -> set[int]:
        blas = ThreadpoolController().select(user_api="blas")
        return {each["num_threads"] for each in blas.info()}

    with ThreadpoolController().limit(limits=3, user_api="blas"):
        with one_thread():
            assert threads() == {1}
        assert threads() == {3}
