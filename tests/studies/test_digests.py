"""What must not change a digest: threads, hash seed, order, wire, being run again."""

import json
import os
import subprocess
import sys

import pytest
import torch

BOTH = ("digest", "model_digest")


def digests(outcomes):
    """Both digests of each run, by label."""
    results = [outcome.result for outcome in outcomes]
    return {each.label: (each.digest, each.model_digest) for each in results}


@pytest.fixture(scope="module")
def known(tiny_runs):
    """Those of the first run in this process."""
    return {label: tuple(run[name] for name in BOTH) for label, run in tiny_runs.items()}


@pytest.fixture
def silently(monkeypatch):
    """Runs without writing a folder."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)


ELSEWHERE = """
import io, json, sys
from pathlib import Path
from netsim.results import folder
from netsim.results.progress import run_progress
from netsim.studies.run import run_scenario
from netsim.studies.scenario import load
folder.write = lambda *_: None
with run_progress(io.StringIO()) as progress:
    outcomes = run_scenario(load(Path(sys.argv[1])), Path(sys.argv[2]), None, progress)
results = [outcome.result for outcome in outcomes]
print(json.dumps({each.label: [each.digest, each.model_digest] for each in results}))
"""


def test_another_process_gets_the_same(tiny, tmp_path, known):
    """With another hash seed, more threads, and the runs of the file in another order."""
    head, runs = (tiny.parent / "tiny.yaml").read_text().split("runs:\n")
    turned = head + "runs:\n" + "".join(reversed(runs.splitlines(keepends=True)))
    (tmp_path / "tiny.yaml").write_text(turned)
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path / "tiny.yaml"), str(tmp_path / "out")],
        env=os.environ | {"PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == list(reversed(known))
    assert {label: tuple(both) for label, both in found.items()} == known


@pytest.mark.usefixtures("silently")
def test_torch_threads_do_not_matter(read, play, tmp_path, known):
    """Set in the process, as a user's own code may have."""
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        assert digests(play(read(), tmp_path / "out")) == known
    finally:
        torch.set_num_threads(before)


@pytest.mark.usefixtures("silently")
def test_encoding_every_message_does_not_matter(read, play, tmp_path, known):
    """``wire: encode`` gives the same sizes and the same values."""
    assert digests(play(read(wire="encode"), tmp_path / "out")) == known


@pytest.mark.usefixtures("silently")
def test_one_protocol_alone_gets_what_it_gets_in_company(read, play, tmp_path, known):
    """Its data, masks and graphs are its own or shared by seed, never drawn in turn."""
    runs = [{"kind": "shatter", "virtual_nodes": 2, "degree": 3}]
    alone = digests(play(read(runs=runs), tmp_path / "out"))
    assert alone == {label: known[label] for label in alone}


@pytest.mark.usefixtures("silently")
def test_the_network_changes_times_and_not_what_is_sent(read, play, tmp_path, known):
    """Other rates, latencies and sharing: the same digests."""
    network = {"nodes": 6, "uplink": "3 MB/s", "downlink": "0.7 MB/s", "sharing": "fifo"}
    assert digests(play(read(network=network), tmp_path / "out")) == known


@pytest.mark.usefixtures("silently")
def test_the_seed_changes_everything(read, play, tmp_path, known):
    """Another seed, other models in every run."""
    others = digests(play(read(seed=8), tmp_path / "out"))
    assert all(others[label][1] != known[label][1] for label in known)
