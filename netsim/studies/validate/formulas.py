"""The closed form a protocol is compared with."""

import numpy as np

from netsim.studies.records import phase_rows
from netsim.studies.validate.timed import Timed
from netsim.theory.distribution import eq52_fedavg_s

AS_SENT = "eq52, mean size"


def closed_form(timed: Timed) -> tuple[str | None, float | None]:
    """The protocol's own formula; where sizes depend on values, Eq. 52 with their mean.

    (None, None) where there is none.
    """
    if timed.formula is not None:
        return timed.formula
    transfers, topology = timed.transfers, timed.topology
    phases = phase_rows(transfers)
    server = topology.clients
    central = len(topology.names) == server + 1 and len(phases) == 2
    if not central:
        return None, None
    up_bits, down_bits = (float(np.mean(transfers.carried_bits[rows])) for rows in phases)
    up_bps, down_bps = topology.uplink_bps_H, topology.downlink_bps_H
    clients = slice(0, server)
    args = (up_bps[clients], down_bps[clients], up_bps[server], down_bps[server])
    return AS_SENT, eq52_fedavg_s(up_bits, down_bits, *args)
