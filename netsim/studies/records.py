"""From the network's message table to the records of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from netsim.network.network import Network
from netsim.network.table import ABORTED, DELIVERED, LOCAL
from netsim.network.topology import Float64, Int64, Topology
from netsim.results import records
from netsim.results.records import Kind, Transfers
from netsim.theory.phase import Phase, phase_bound_s
from netsim.theory.seconds import seconds

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

    The sum over the round's phases of the phase bound of what arrived; None if nothing did, or
    where a needed link has rate zero.
    """
    arrived = transfers.select(transfers.status == records.DELIVERED)
    phases = phase_rows(arrived)
    total = sum(bound_s(arrived, topology, rows) for rows in phases)
    rounds = len(np.unique(transfers.round[transfers.on_link]))
    return total / rounds if phases and total < np.inf else None


def phase_rows(transfers: Transfers) -> list[Int64]:
    """The rows of each phase, the transfers of one round and kind; local messages left out."""
    rows = np.flatnonzero(transfers.on_link)
    if len(rows) == 0:
        return []
    phase = transfers.round[rows] * len(transfers.kinds) + transfers.kind[rows]
    order = np.argsort(phase, kind="stable")
    starts = np.flatnonzero(np.diff(phase[order])) + 1
    return [rows[part] for part in np.split(order, starts)]


def bound_s(transfers: Transfers, topology: Topology, rows: Int64) -> float:
    """The phase bound of some of the transfers, which all crossed links."""
    return phase_bound_s(_phase(transfers, topology, rows), topology.capacity_bps_L)


def load_s_L(transfers: Transfers, topology: Topology, rows: Int64) -> Float64:
    """How long each link takes to carry its part of these transfers."""
    rates = topology.capacity_bps_L
    return seconds(_phase(transfers, topology, rows).loads_bits(len(rates)), rates)


def _phase(transfers: Transfers, topology: Topology, rows: Int64) -> Phase:
    route_ptr, route_links = topology.routes(transfers.sender[rows], transfers.receiver[rows])
    return Phase(route_ptr, route_links, transfers.carried_bits[rows])


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
