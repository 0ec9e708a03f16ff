"""A study that is killed goes on where it was, whatever the instant."""

import os
import signal
import time

import numpy as np
import pytest

TIMES = 20
LONGER = (
    ("rounds: 3", "rounds: 6"),
    ("  - {kind: fedavg}\n", "  - {kind: fedavg}\n  - {kind: cepam_gaussian}\n"),
)
SHORTER = (("[300 kB/s, 1 MB/s, 5 MB/s]", "[1 MB/s, 5 MB/s]"), ("seed: [1, 2]", "seed: [1]"))


@pytest.fixture
def killed(study, start, table, summaries, tmp_path):
    """Starts a study, kills it at an instant, alone or with its workers, runs it to the end, and
    compares all with ``whole``.  Whether it was still running when killed."""

    def go(whole, changes, instant, alone, more=()):
        out = tmp_path / "out"
        process = start(study(*changes), out, *more)
        instant(out)
        running = process.poll() is None
        kill = os.kill if alone else os.killpg
        if running:
            kill(process.pid, signal.SIGKILL)
        process.communicate()
        known = summaries(whole)
        assert all(known[cell] == runs for cell, runs in summaries(out).items())
        again = start(study(*changes), out, *more)
        assert again.communicate()[1] == ""
        assert again.returncode == 0
        assert table(out) == table(whole)
        assert summaries(out) == known
        assert not [*out.glob("checkpoints/*"), *out.glob("*/.*")]
        return running

    return go


def test_killed_in_the_midst(planned, run, killed, tmp_path):
    """With its workers, when the first training has been saved."""
    run(planned(*SHORTER), tmp_path / "whole")

    def saved(out):
        while not [*out.glob("checkpoints/*/round-*")]:
            time.sleep(0.02)

    assert killed(tmp_path / "whole", SHORTER, saved, alone=False, more=("--jobs", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("instant", range(TIMES))
def test_killed_at_random(killed, longer, instant):
    """At any time that the whole takes, alone every other time: its workers see it is gone."""
    whole, length_s = longer
    after_s = np.random.default_rng(instant).uniform(0, length_s)
    killed(whole, LONGER, lambda _: time.sleep(after_s), alone=instant % 2 == 0)


@pytest.fixture(scope="module")
def longer(tmp_path_factory, start, text):
    """The folder of a longer study that ran undisturbed, and how long it took, s."""
    folder = tmp_path_factory.mktemp("longer")
    (folder / "study.yaml").write_text(text(*LONGER))
    begun = time.monotonic()
    process = start(folder / "study.yaml", folder / "out")
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    return folder / "out", time.monotonic() - begun
