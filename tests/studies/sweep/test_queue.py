"""What is trained and timed next."""

from dataclasses import dataclass

import pytest

from netsim.studies.sweep.queue import Queue


@dataclass(frozen=True)
class Fake:
    """Stands for a cell."""

    id: str
    training: str | None = None


@pytest.fixture
def queue():
    """Makes one of cells written as ``a1``: number 1 of training a; or of no training."""

    def make(*names, recorded=()):
        cells = [Fake(name, None if name.isdigit() else name[0]) for name in names]
        made = Queue()
        made.add(cells, recorded)
        return made, {cell.id: cell for cell in cells}

    return make


def names(taken):
    """How, and which cells."""
    how, cells = taken
    return how, "".join(cell.id for cell in cells)


def test_one_of_those_that_train_alike_leads(queue):
    """The others wait until it is trained; trainings come first."""
    made, cells = queue("a1", "a2", "b1", "a3", "7")
    assert [names(made.take()) for _ in range(4)] == [
        ("trained", "a1"),
        ("trained", "b1"),
        ("trained", "7"),
        ("timed", ""),
    ]
    assert made.waiting == 2
    made.trained(cells["a1"])
    made.trained(cells["b1"])
    assert names(made.take()) == ("timed", "a2a3")
    assert made.waiting == 0


def test_what_is_recorded_is_timed_at_once(queue):
    """Without any training."""
    made, _ = queue("a1", "a2", "b1", recorded=["a"])
    assert names(made.take()) == ("trained", "b1")
    assert names(made.take()) == ("timed", "a1a2")


def test_jobs_of_timings_are_short_and_of_one_training(queue):
    """Eight at most."""
    made, _ = queue(*(f"a{at}" for at in range(10)), "b0", recorded=["a", "b"])
    assert [len(made.take()[1]) for _ in range(4)] == [8, 2, 1, 0]


def test_when_a_leader_fails_another_leads(queue):
    """And so on, until none is left."""
    made, cells = queue("a1", "a2", "a3")
    made.take()
    made.failed(cells["a1"])
    assert names(made.take()) == ("trained", "a2")
    assert made.leads(cells["a2"])
    made.failed(cells["a2"])
    assert names(made.take()) == ("trained", "a3")
    made.failed(cells["a3"])
    assert names(made.take()) == ("timed", "")


def test_what_diverges_trains_by_itself(queue):
    """It leads nobody: neither its end nor its failure moves those that wait."""
    made, cells = queue("a1", "a2", "a3", "a4")
    made.take()
    made.trained(cells["a1"])
    made.take()
    made.diverged(cells["a3"])
    assert names(made.take()) == ("trained", "a3")
    assert not made.leads(cells["a3"])
    made.trained(cells["a3"])
    made.failed(cells["a3"])
    assert names(made.take()) == ("timed", "")


def test_jobs_of_workers_that_died_come_again(queue):
    """Next, as what they were."""
    made, cells = queue("a1", "b1", "c1", "c2", recorded=["c"])
    made.take()
    made.again("trained", [cells["a1"]])
    assert names(made.take()) == ("trained", "a1")
    made.take()
    made.take()
    made.again("timed", [cells["c2"]])
    assert names(made.take()) == ("timed", "c2")
