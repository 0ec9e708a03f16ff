"""Federated averaging in Flower's simulation engine, in an environment of its own.

usage: python flower_app.py SAMPLES.npz ROUNDS

SAMPLES.npz: ``inputs`` Float32[K, B, 1, 28, 28] and ``labels`` Int64[K, B], the samples of each
client.  LeNet-5, one step on all of a client's samples, plain SGD.  Prints a line of JSON: wall
and CPU seconds of each round but the first, CPU seconds being those of all processes together,
and the largest difference of the model from the start.  Imports nothing of netsim.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from flower_client import client, held, lenet5
from flwr.app import ArrayRecord, Context
from flwr.serverapp import Grid, ServerApp
from flwr.serverapp.strategy import FedAvg
from flwr.simulation import run_simulation

server = ServerApp()
stamps: list[tuple[float, float]] = []
moved: list[float] = []


class Timed(FedAvg):
    """Takes the time when a round's average is there."""

    def aggregate_train(self, server_round: int, replies: Any) -> Any:
        """As in Flower."""
        result = super().aggregate_train(server_round, replies)
        stamps.append((time.perf_counter(), cpu_s()))
        return result


def cpu_s() -> float:
    """CPU seconds so far of this process and all it started."""
    me = psutil.Process()
    total = 0.0
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


@server.main()
def main(grid: Grid, context: Context) -> None:
    """All rounds, with every client in each and no evaluation."""
    clients = len(held()[1])
    strategy = Timed(fraction_evaluate=0.0, min_train_nodes=clients, min_available_nodes=clients)
    start = lenet5().state_dict()
    result = strategy.start(grid, ArrayRecord(start), num_rounds=int(sys.argv[2]))
    end = result.arrays.to_torch_state_dict()
    moved.append(max(float((end[name] - start[name]).abs().max()) for name in start))


if __name__ == "__main__":
    os.environ["SAMPLES"] = str(Path(sys.argv[1]).resolve())
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    resources = {"client_resources": {"num_cpus": 1}}
    run_simulation(server, client, num_supernodes=len(held()[1]), backend_config=resources)
    wall, cpu = np.diff(np.array(stamps), axis=0).T
    print(json.dumps({"wall_s": wall.tolist(), "cpu_s": cpu.tolist(), "moved": moved[0]}))
