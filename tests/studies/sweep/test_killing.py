"""A study that is killed goes on where it was, whatever the instant."""

import os
import signal
import time

import numpy as np
import pytest

TIMES = 20
LONGEST_S = 12.0


@pytest.fixture
def killed(study, start, whole, table, summaries, tmp_path):
    """Runs the small study, kills it at an instant, alone or with its workers, runs it to the
    end, and compares all with the undisturbed run.  Whether it was still running when killed."""

    def go(instant, alone):
        out = tmp_path / "out"
        process = start(study(), out)
        instant(out)
        running = process.poll() is None
        kill = os.kill if alone else os.killpg
        if running:
            kill(process.pid, signal.SIGKILL)
        process.communicate()
        known = summaries(whole)
        assert all(known[cell] == runs for cell, runs in summaries(out).items())
        again = start(study(), out)
        assert again.communicate()[1] == ""
        assert again.returncode == 0
        assert table(out) == table(whole)
        assert summaries(out) == known
        assert not [*out.glob("checkpoints/*"), *out.glob("*/.*")]
        return running

    return go


def test_killed_in_the_midst(killed):
    """With its workers, when the first training has been saved."""

    def saved(out):
        while not [*out.glob("checkpoints/*/round-*")]:
            time.sleep(0.02)

    assert killed(saved, alone=False)


@pytest.mark.slow
@pytest.mark.parametrize("instant", range(TIMES))
def test_killed_at_random(killed, instant):
    """Alone every other time: then its workers see that it is gone."""
    after_s = np.random.default_rng(instant).uniform(0.2, LONGEST_S)
    killed(lambda _: time.sleep(after_s), alone=instant % 2 == 0)
