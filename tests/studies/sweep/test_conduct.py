"""What becomes of cells whose workers die or break, with workers that only tell."""

import io
from collections import deque
from dataclasses import replace

import pytest

from netsim.studies.sweep.conduct import Conductor, StudyHalted
from netsim.studies.sweep.jobs import (
    CellBroke,
    CellDiverged,
    CellDone,
    Halt,
    Lost,
    Over,
    RoundDone,
    Settings,
)
from netsim.studies.sweep.store import Store
from netsim.studies.sweep.watch import watched
from netsim.studies.sweep.workers import Workers


class Telling(Workers):
    """Two at once; ``answer(job)`` gives the events of a job."""

    def __init__(self, answer):
        self.jobs = []
        self._answer = answer
        self._events = deque()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self._events.clear()

    @property
    def free(self):
        return 2 - len(self._events)

    def start(self, job):
        self.jobs.append(job)
        self._events.append(self._answer(job))

    def wait(self, timeout_s):
        return self._events.popleft() if self._events else []


def done(job):
    """All went well."""
    rounds = [RoundDone(cell.id, 2, 3, 0.5) for cell in job.cells if job.how == "trained"]
    return [*rounds, *(CellDone(cell.id, job.how, 0.1, None) for cell in job.cells), Over(job)]


@pytest.fixture
def conduct(planned, tmp_path):
    """Conducts the small study with workers that answer so; the fates by id, and the workers."""

    def go(answer):
        cells, workers = planned().cells, Telling(answer)
        with watched(len(cells), 2, io.StringIO()) as watch:
            conductor = Conductor(cells, Store(tmp_path), Settings(None, 60.0), watch)
            conductor.run(workers)
        return conductor.fates, workers

    return go


def statuses(fates):
    return sorted(fate.status for fate in fates.values())


def test_cells_of_a_dead_worker_are_done_by_another(conduct):
    """Each once, though every job is lost the first time, with one cell of it done."""
    lost = set()

    def answer(job):
        ids = tuple(cell.id for cell in job.cells)
        if ids in lost:
            return done(job)
        lost.add(ids)
        return [*done(job)[: len(job.cells) - 1], Lost(job, "was killed by SIGKILL")]

    fates, workers = conduct(answer)
    assert statuses(fates) == ["timed"] * 8 + ["trained"] * 4
    timed = [cell.id for job in workers.jobs if job.how == "timed" for cell in job.cells]
    assert len(timed) > len(set(timed)) == 8


def test_a_cell_that_kills_its_workers_fails(conduct):
    """After three of them; the others of its training go on under another leader."""
    first = []

    def answer(job):
        first.append(job.cells[0].id)
        return [Lost(job, "left with code 1")] if job.cells[0].id == first[0] else done(job)

    fates, _ = conduct(answer)
    assert statuses(fates) == ["failed"] + ["timed"] * 7 + ["trained"] * 4
    assert fates[first[0]].failure == "its worker died 3 times: it left with code 1"
    assert first.count(first[0]) == 3


def test_what_diverges_trains(conduct):
    """And what it trains is no record for others."""

    def answer(job):
        if job.how == "timed":
            last = job.cells[-1].id
            return [
                *done(replace(job, cells=job.cells[:-1]))[:-1],
                CellDiverged(last, "why"),
                Over(job),
            ]
        return done(job)

    fates, workers = conduct(answer)
    assert statuses(fates) == ["timed"] * 4 + ["trained"] * 8
    leading = [job.leads for job in workers.jobs if job.how == "trained"]
    assert sorted(leading) == [False] * 4 + [True] * 4


def test_what_is_told_twice_counts_once(conduct):
    """The first counts."""

    def answer(job):
        broken = [CellBroke(cell.id, "late", "") for cell in job.cells]
        return [*done(job)[:-1], *broken, Over(job)]

    assert statuses(conduct(answer)[0]) == ["timed"] * 8 + ["trained"] * 4


def test_it_halts_where_nothing_more_can_be_run(conduct):
    """With the reason."""
    with pytest.raises(StudyHalted, match="no space"):
        conduct(lambda job: [Halt("no space"), Over(job)])
