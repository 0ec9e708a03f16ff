"""netsim beside Flower's simulation engine: one job of federated averaging, rounds a second.

    python -m venv flower && flower/bin/pip install torch "flwr[simulation]" psutil
    python -m analysis.peers.flower --flower flower/bin/python

50 clients with 4 or 16 samples of MNIST each (random images of its shape where MNIST is missing)
train LeNet-5 by one step a round; nothing is evaluated.  netsim also simulates the network, which
Flower does not.  Both run in turn, netsim first and last; medians of rounds in wall time, and in
CPU time of all processes together.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

from netsim.studies.bench.learning import Case, Stopwatch, played, samples_of

APP = Path(__file__).with_name("flower_app.py")
Seconds = dict[str, list[float]]


def netsim_rounds(case: Case) -> Seconds:
    """Rounds of netsim but the first and the last, which is tested."""
    scenario = case.scenario()
    assert scenario.task is not None
    watch = Stopwatch()
    played(scenario, scenario.task, case.data(scenario.task), watch)
    return {"wall_s": watch.seconds[1:-1], "cpu_s": watch.cpu_seconds[1:-1]}


def flower_rounds(case: Case, python: str) -> Seconds:
    """Rounds of Flower but the first, under an interpreter that has it."""
    config = case.scenario().task
    assert config is not None
    parts = samples_of(config, case.data(config), case.clients)
    inputs, labels = (np.stack(each) for each in zip(*parts, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.npz"
        np.savez(path, inputs=inputs, labels=labels)
        command = [python, str(APP), str(path), str(case.rounds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"Flower failed:\n{done.stderr[-4000:]}")
    seconds: Seconds = json.loads(done.stdout.splitlines()[-1])
    return seconds


def compare(case: Case, python: str) -> None:
    """Run both and print how many rounds a second each makes."""
    before, theirs, after = netsim_rounds(case), flower_rounds(case, python), netsim_rounds(case)
    for name, what in (("wall_s", "wall time"), ("cpu_s", "CPU time")):
        ours_s, theirs_s = median(before[name] + after[name]), median(theirs[name])
        ours, flowers = f"netsim {1 / ours_s:6.2f}", f"Flower {1 / theirs_s:6.3f} rounds/s"
        ratio = f"ratio {theirs_s / ours_s:5.1f}"
        print(f"{case.samples:>3} samples  {what:<9}  {ours}  {flowers}  {ratio}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flower", required=True, help="Python of an environment with Flower")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--samples", type=int, nargs="+", default=[4, 16], help="of a client")
    arguments = parser.parse_args()
    for samples in arguments.samples:
        compare(Case("lenet5", samples, arguments.rounds), arguments.flower)


if __name__ == "__main__":
    main()
