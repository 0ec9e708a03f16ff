"""Checkpoints on disk: few, whole, and the latest that can be read."""

import numpy as np
import pytest

from netsim.studies.replay import checkpoint
from netsim.studies.replay.checkpoint import Checkpoint, Checkpoints
from netsim.studies.replay.course import Course
from netsim.studies.replay.training import train
from netsim.studies.run import task_factory


@pytest.fixture
def checkpoints(tmp_path):
    return Checkpoints(tmp_path / "kept", 0.0)


def after(round, count=5):
    """A checkpoint of hardly anything."""
    course = Course(3, 0.1, np.array([1, 2]), (1.0, 1.0), {(0, round)}, [])
    stored, state = {4: np.ones(3, np.float32)}, {"0": np.zeros(3, np.float32)}
    return Checkpoint(round, 1.5 * round, course, count, stored, state)


def test_the_last_two_are_kept(checkpoints):
    """The latest comes first."""
    for round in (0, 1, 9, 10):
        checkpoints.save(after(round))
    assert [each.round for each in checkpoints.found()] == [10, 9]
    (latest, _) = checkpoints.found()
    assert (latest.end_s, latest.count, latest.course.updates) == (15.0, 5, {(0, 10)})
    assert latest.stored[4].tolist() == [1.0, 1.0, 1.0]
    assert latest.state["0"].tolist() == [0.0, 0.0, 0.0]


def test_a_torn_one_is_passed_over(checkpoints):
    """The one before it is taken; without any there is none."""
    for round in (1, 2):
        checkpoints.save(after(round))
    first, second = sorted(checkpoints.folder.iterdir())
    second.write_bytes(second.read_bytes()[:-1])
    assert [each.round for each in checkpoints.found()] == [1]
    first.write_bytes(b"")
    assert [*checkpoints.found()] == []


def test_other_versions_are_passed_over(checkpoints, monkeypatch):
    """Their bits may be others."""
    checkpoints.save(after(1))
    monkeypatch.setattr(checkpoint, "versions", lambda: {"netsim": "9"})
    assert [*checkpoints.found()] == []


@pytest.fixture
def interrupted(scenario, checkpoints):
    """A scenario, and a way to run it on that tells which rounds were trained."""
    there = scenario({"kind": "epidemic", "degree": 3}, rounds=4)

    def go(kept=checkpoints):
        heard = []
        make = task_factory(there, None)
        train(there, there.runs[0], "run", make, lambda played: heard.append(played.round), kept)
        return heard

    return go


def test_a_run_goes_on_from_the_one_before_a_torn_one(interrupted, checkpoints):
    """Three are written and the last two kept."""
    assert interrupted() == [0, 1, 2, 3]
    latest = max(checkpoints.folder.iterdir())
    latest.write_bytes(latest.read_bytes()[:1000])
    assert interrupted() == [2, 3]


def test_a_checkpoint_of_another_run_is_not_gone_on_from(interrupted, checkpoints):
    """Where the replay does not come to the same place all is trained anew."""
    interrupted()
    for found in list(checkpoints.found()):
        changed = Checkpoint(**{**vars(found), "end_s": found.end_s + 1e-9})
        checkpoints.save(changed)
    assert interrupted(Checkpoints(checkpoints.folder, 3600.0)) == [0, 1, 2, 3]
    assert [*checkpoints.folder.iterdir()] == []


def test_checkpoints_are_as_far_apart_as_asked(interrupted, checkpoints):
    """None before its time."""
    interrupted(Checkpoints(checkpoints.folder, 3600.0))
    assert not checkpoints.folder.exists()
