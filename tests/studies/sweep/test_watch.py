"""The bars over a study, and how long it still takes."""

import io

import pytest

from netsim.studies.sweep.jobs import RoundDone
from netsim.studies.sweep.pace import Pace
from netsim.studies.sweep.queue import Queue
from netsim.studies.sweep.watch import watched


class Terminal(io.StringIO):
    """A stream that says it is one."""

    def isatty(self):
        return True


@pytest.fixture
def shown(planned):
    """What stands on a stream after a training of the small study has begun."""

    def go(stream):
        cells = planned().cells
        with watched(len(cells), 1, stream) as watch:
            queue = Queue()
            queue.add(cells, [])
            _, (first,) = queue.take()
            watch.started("trained", [first])
            watch.advanced(RoundDone(first.id, 0, 3, 0.25))
            watch.advanced(RoundDone(first.id, 1, 3, 0.5))
            watch.show(queue)
            watch._bars.refresh()
            during = stream.getvalue()
            watch.settled(first, "trained", 1.0)
        return during

    return go


def test_it_shows_the_study_and_what_trains(shown):
    """Cells done of all, their states, the time left, and round and accuracy of a training."""
    text = shown(Terminal())
    assert "fedavg, seed 1" in text
    assert "2/3" in text
    assert "accuracy 0.500" in text
    assert "0/12" in text
    assert "1 training, 11 waiting" in text
    assert "left" in text


def test_it_is_silent_off_a_terminal(shown):
    """Nothing at all."""
    assert shown(io.StringIO()) == ""


def test_time_left_is_that_of_rounds_and_timings_so_far():
    """Nobody knows before the first; that of a cell, with its set-up, is left out."""
    pace = Pace(workers=2)
    assert pace.left_s(10, 0) is None
    assert pace.left_s(0, 4) == 0.0
    for now_s in (100.0, 102.0, 106.0):
        pace.round("a", now_s)
    pace.round("b", 500.0)
    assert pace.left_s(10, 0) == 15.0
    pace.timed(1.0)
    assert pace.left_s(10, 4) == 17.0
