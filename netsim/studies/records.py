"""From the network's message table to the records of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from netsim.network.network import Network
from netsim.network.table import ABORTED, DELIVERED, LOCAL
from netsim.network.topology import Int64, Topology
from netsim.results import records
from netsim.results.records import Kind, Transfers
from netsim.theory.phase import Phase, phase_bound_s

_STATUS = {DELIVERED: records.DELIVERED, ABORTED: records.ABORTED, LOCAL: records.LOCAL}


def transfers_of(network: Network, roles: Mapping[str, tuple[str, str]]) -> Transfers:
    """All messages; ``roles`` gives each kind's sender and receiver role."""
    table, topology = network.table, network.topology
    status = np.full(table.rows, -1, np.int8)
    for code, meaning in _STATUS.items():
        status[table.column("status") == code] = meaning
    keys: dict[str, Any] = {
        name: table.column(name) for name in ("round", "kind", "sender", "receiver")
    }
    sizes = ("payload_bits", "wire_bits", "carried_bits", "sent_bits")
    columns: dict[str, Any] = {name: table.column(name) for name in (*sizes, "start_s", "end_s")}
    return Transfers(
        node_names=topology.names,
        node_hosts=tuple(topology.host_N.tolist()),
        kinds=tuple(Kind(kind, *roles[kind]) for kind in table.kinds),
        sequence=_rank(list(keys.values())),
        status=status,
        **keys,
        **columns,
    )


def optimum_s(transfers: Transfers, topology: Topology) -> float | None:
    """Mean over rounds of the least distribution time with a barrier after each kind.

    The sum over the round's phases of the phase bound; None without transfers, or where a
    needed link has rate zero.
    """
    rows = np.flatnonzero(transfers.on_link)
    if len(rows) == 0:
        return None
    phase = transfers.round[rows] * len(transfers.kinds) + transfers.kind[rows]
    order = np.argsort(phase, kind="stable")
    starts = np.flatnonzero(np.diff(phase[order])) + 1
    total = sum(_phase_s(transfers, topology, rows[part]) for part in np.split(order, starts))
    return total / len(np.unique(transfers.round[rows])) if total < np.inf else None


def _phase_s(transfers: Transfers, topology: Topology, rows: Int64) -> float:
    route_ptr, route_links = topology.routes(transfers.sender[rows], transfers.receiver[rows])
    phase = Phase(route_ptr, route_links, transfers.carried_bits[rows])
    return phase_bound_s(phase, topology.capacity_bps_L)


def _rank(keys: Sequence[npt.NDArray[Any]]) -> Int64:
    """For each row its place among those with the same keys, in the order of the rows."""
    order = np.lexsort(keys)
    fresh = np.zeros(len(order), bool)
    for key in keys:
        fresh[1:] |= np.diff(key[order]) != 0
    place = np.arange(len(order))
    rank = np.empty(len(order), np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(fresh, place, 0))
    return rank
