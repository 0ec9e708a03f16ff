"""How large each aggregator's shard is."""

from dataclasses import dataclass

import numpy as np

from netsim.network.topology import Float64, Int64, Topology


@dataclass(frozen=True)
class Load:
    """What a round moves: all ``trainers`` send ``up_bits`` in shards to the ``owners``, who
    send ``down_bits`` in shards to all clients.  Nodes are numbered as in the topology."""

    owners: list[int]
    trainers: list[int]
    up_bits: float
    down_bits: float


def proportional_shares(load: Load, topology: Topology) -> Float64:
    """Each owner's share of the coordinates, by the slower of its two rates."""
    hosts = topology.host_N[load.owners]
    rates = np.minimum(topology.uplink_bps_H[hosts], topology.downlink_bps_H[hosts])
    total = float(rates.sum())
    return rates / total if total > 0 else np.full(len(hosts), 1 / len(hosts))


def optimal_shares(load: Load, topology: Topology) -> Float64:
    """The shares that minimise the sum of the two phases' bounds (access links only).

    A linear programme in the shares and the two phases' times; equal shares where no shares
    give a finite time.
    """
    from scipy.optimize import linprog

    count = len(load.owners)
    rows = np.array(_rows(load, topology))
    scale = rows[:, :count].max()
    if not np.isfinite(scale):
        return np.full(count, 1 / count)
    rows[:, :count] /= scale
    goal = np.concatenate([np.zeros(count), np.ones(2)])
    whole = np.concatenate([np.ones(count), np.zeros(2)])[None]
    found = linprog(goal, rows, np.zeros(len(rows)), whole, np.ones(1), method="highs")
    assert found.x is not None, found.message
    shares: Float64 = np.maximum(found.x[:count], 0)
    return np.asarray(shares / shares.sum())


def whole_sizes(shares: Float64, total: int) -> Int64:
    """``total`` units shared out by largest remainder, the first of equals first."""
    exact = shares * total
    sizes = np.floor(exact).astype(np.int64)
    missing = total - int(sizes.sum())
    sizes[np.argsort(sizes - exact, kind="stable")[:missing]] += 1
    return sizes


def _rows(load: Load, topology: Topology) -> list[Float64]:
    """For each link and phase, seconds per share of each owner, then −1 at the phase's time."""
    rows = []
    up, down = topology.uplink_bps_H, topology.downlink_bps_H
    owners, trainers = set(load.owners), set(load.trainers)
    clients = range(topology.clients)
    for node in sorted({*clients, *owners}):
        host = topology.host_N[node]
        other = np.array([float(owner != node) for owner in load.owners])
        mine = 1 - other
        sent = load.up_bits * other * (node in trainers)
        got = load.up_bits * mine * (len(trainers) - (node in trainers))
        back = load.down_bits * other * (node in clients)
        told = load.down_bits * mine * (topology.clients - (node in clients))
        if topology.half_duplex:
            rows += [
                _row(_seconds(sent + got, up[host]), 0),
                _row(_seconds(told + back, up[host]), 1),
            ]
        else:
            rows += [_row(_seconds(sent, up[host]), 0), _row(_seconds(got, down[host]), 0)]
            rows += [_row(_seconds(told, up[host]), 1), _row(_seconds(back, down[host]), 1)]
    return rows


def _seconds(bits: Float64, rate_bps: float) -> Float64:
    if rate_bps > 0:
        return bits / rate_bps
    return np.where(bits > 0, np.inf, 0.0)


def _row(seconds: Float64, phase: int) -> Float64:
    return np.concatenate([seconds, -np.eye(2)[phase]])
